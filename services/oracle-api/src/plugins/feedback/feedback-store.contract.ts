import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Feedback, FeedbackStore } from './feedback-store.js';

interface Opened {
  readonly store: FeedbackStore;
  readonly addSession: (ownerDid: string, sessionId: string) => Promise<unknown>;
  readonly deleteSession: (ownerDid: string, sessionId: string) => Promise<unknown>;
}

const most = 4;
const at = (seconds: number) => new Date(seconds * 1_000);

/** Contract of every adapter of the port. */
export function feedbackStoreContract(name: string, open: () => Opened): void {
  async function someone() {
    const { store, addSession, deleteSession } = open();
    const [ownerDid, sessionId] = [`did:key:${randomUUID()}`, randomUUID()];
    await addSession(ownerDid, sessionId);
    const down = (messageId: string, more: Partial<Feedback> = {}): Feedback => ({
      sessionId,
      messageId,
      rating: 'down',
      reasons: ['incorrect', 'unclear'],
      comment: 'Zuri is a goat',
      updatedAt: at(1),
      ...more,
    });
    const put = (...ratings: Feedback[]) => Promise.all(ratings.map((each) => store.put(ownerDid, each, most)));
    return { store, ownerDid, sessionId, down, put, addSession, deleteSession };
  }

  describe(`${name} stores feedback`, () => {
    it('one per answer, the last one put, and returns it newest first', async () => {
      const { store, ownerDid, sessionId, down, put } = await someone();
      const { comment: _comment, ...up } = down('one', { rating: 'up', reasons: [], updatedAt: at(3) });
      expect(await put(down('one'), down('two', { updatedAt: at(2) }))).toEqual(['stored', 'stored']);
      expect(await put(up)).toEqual(['stored']);
      expect(await store.ofSession(ownerDid, sessionId)).toEqual([up, down('two', { updatedAt: at(2) })]);
    });

    it('until it is removed, once', async () => {
      const { store, ownerDid, sessionId, down, put } = await someone();
      await put(down('one'));
      const remove = (id: string) => store.remove(ownerDid, sessionId, id);
      expect([await remove('two'), await remove('x\u0000y')]).toEqual([false, false]);
      expect([await remove('one'), await remove('one')]).toEqual([true, false]);
      expect(await store.ofSession(ownerDid, sessionId)).toEqual([]);
    });

    it('only for sessions of its owner, and deletes feedback with them', async () => {
      const { store, ownerDid, sessionId, down, put, deleteSession } = await someone();
      const bo = await someone();
      await put(down('one'));
      for (const foreign of [sessionId, 'x\u0000y']) {
        expect(await store.put(bo.ownerDid, down('one', { sessionId: foreign, rating: 'up' }), most)).toBe(
          'no_session',
        );
        expect(await store.ofSession(bo.ownerDid, foreign)).toEqual([]);
        expect(await store.remove(bo.ownerDid, foreign, 'one')).toBe(false);
      }
      expect(await store.ofSession(ownerDid, sessionId)).toEqual([down('one')]);
      await deleteSession(ownerDid, sessionId);
      expect(await store.ofSession(ownerDid, sessionId)).toEqual([]);
    });

    it('up to a limit per session, not counting replacements', async () => {
      const { down, put } = await someone();
      await put(...Array.from({ length: most }, (_, n) => down(`m${n}`)));
      expect(await put(down('one too many'))).toEqual(['full']);
      expect(await put(down('m0', { rating: 'up' }))).toEqual(['stored']);
    });

    it('and lists all of an owner in pages, and deletes all of it', async () => {
      const { store, ownerDid, down, put } = await someone();
      const bo = await someone();
      await put(down('b'), down('a'), down('c'));
      await bo.put(bo.down('his'));
      const first = await store.list(ownerDid, { limit: 2 });
      const rest = await store.list(ownerDid, { limit: 2, after: first.at(-1) });
      expect([first, rest]).toEqual([[down('a'), down('b')], [down('c')]]);
      expect([await store.removeAll(ownerDid), await store.removeAll(ownerDid)]).toEqual([3, 0]);
      expect(await bo.store.list(bo.ownerDid, { limit: 2 })).toHaveLength(1);
    });

    it('and counts the feedback of all users since a time, with the newest comments', async () => {
      const { store, down, put } = await someone();
      const later = (n: number) => at(4_000_000_000 + n);
      const { comment: _comment, ...silent } = down('c', { rating: 'up', reasons: [], updatedAt: later(3) });
      await put(down('a', { updatedAt: later(0) }), down('b', { updatedAt: later(2), reasons: ['incorrect'] }), silent);
      const none = { incorrect: 0, incomplete: 0, off_topic: 0, unclear: 0, harmful: 0 };
      const commented = { rating: 'down', comment: 'Zuri is a goat', reasons: ['incorrect'], updatedAt: later(2) };
      expect(await store.count(later(1), 5)).toEqual({
        up: 1,
        down: 1,
        reasons: { ...none, incorrect: 1 },
        comments: [commented],
      });
      const all = await store.count(later(0), 1);
      expect(all).toMatchObject({ up: 1, down: 2, reasons: { incorrect: 2, unclear: 1 }, comments: [commented] });
      await put(down('a'), down('b'), down('c'));
    });
  });
}
