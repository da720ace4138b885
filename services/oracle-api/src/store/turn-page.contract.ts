import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from './conversation-store.js';
import type { TurnRange } from './sessions.js';

/** Number of answers of a turn: every third has none, and every fourth of the others has two. */
function answersOf(turn: number): number {
  if (turn % 3 === 0) return 0;
  return turn % 4 === 0 ? 2 : 1;
}

/** Contract tests of turn pages for every adapter. */
export function turnPageContract(name: string, open: () => ConversationStore): void {
  describe(`${name} returns conversations in pages of turns`, () => {
    const fill = async (store: ConversationStore, ownerDid: string, turns: number) => {
      const sessionId = randomUUID();
      await store.createSession(ownerDid, { sessionId, createdAt: new Date(0) });
      const add = (content: string, turnId: string, type: 'human' | 'ai') =>
        store.addMessage(ownerDid, sessionId, {
          messageId: randomUUID(),
          turnId,
          type,
          content,
          createdAt: new Date(0),
        });
      for (let turn = 1; turn <= turns; turn++) {
        await add(`q${turn}`, `t${turn}`, 'human');
        for (let answer = 0; answer < answersOf(turn); answer++) await add(`a${turn}`, `t${turn}`, 'ai');
      }
      return sessionId;
    };
    const setUp = async (turns: number) => {
      const store = open();
      const ownerDid = `did:key:${randomUUID()}`;
      const sessionId = await fill(store, ownerDid, turns);
      const page = async (range: TurnRange) => {
        const found = await store.pageOfTurns(ownerDid, sessionId, range);
        if (found === 'unknown_cursor') throw new Error(found);
        const ids = found.messages.map(({ messageId }) => messageId);
        return { ...found, ids, turns: new Set(found.messages.map(({ turnId }) => turnId)).size };
      };
      return { store, ownerDid, sessionId, page };
    };

    it.each([1, 2, 3, 5, 11, 100])(
      'walks back and forth by %d without splitting, losing or duplicating a turn',
      async (limit) => {
        const { store, ownerDid, sessionId, page } = await setUp(11);
        const all = (await store.newestMessages(ownerDid, sessionId, 100)).map(({ messageId }) => messageId);
        let at = await page({ limit });
        expect(at.newerCursor).toBeUndefined();
        const walked = [...at.ids];
        while (at.olderCursor !== undefined) {
          expect(at.turns).toBe(limit);
          at = await page({ limit, before: at.olderCursor });
          expect(at.newerCursor).toBeDefined();
          walked.unshift(...at.ids);
        }
        expect(walked).toEqual(all);
        const back = [...at.ids];
        while (at.newerCursor !== undefined) {
          at = await page({ limit, after: at.newerCursor });
          expect(at.olderCursor).toBeDefined();
          back.push(...at.ids);
        }
        expect(back).toEqual(all);
      },
    );

    it('is empty for a session without messages, an absent one, or one of another user', async () => {
      const { store, ownerDid, sessionId } = await setUp(1);
      const empty = await fill(store, ownerDid, 0);
      expect(await store.pageOfTurns(ownerDid, empty, { limit: 20 })).toEqual({ messages: [] });
      expect(await store.pageOfTurns(ownerDid, 'nul\u0000', { limit: 20 })).toEqual({ messages: [] });
      expect(await store.pageOfTurns('did:key:bo', sessionId, { limit: 20 })).toEqual({ messages: [] });
    });

    it('rejects a cursor of another session and an invalid one', async () => {
      const { store, ownerDid, sessionId, page } = await setUp(3);
      const other = await fill(store, ownerDid, 0);
      const { olderCursor = '' } = await page({ limit: 1 });
      expect(olderCursor).not.toBe('');
      for (const before of ['', 'x', 'AAAA', `${olderCursor}=`, Buffer.from('t1.nul\u0000').toString('base64url')])
        expect(await store.pageOfTurns(ownerDid, sessionId, { limit: 1, before })).toBe('unknown_cursor');
      expect(await store.pageOfTurns(ownerDid, other, { limit: 1, before: olderCursor })).toBe('unknown_cursor');
      expect(await store.pageOfTurns('did:key:bo', sessionId, { limit: 1, after: olderCursor })).toBe('unknown_cursor');
    });
  });
}
