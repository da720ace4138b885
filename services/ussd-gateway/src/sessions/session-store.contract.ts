import { describe, expect, it } from 'vitest';
import { onTime } from './on-time.fixture.js';
import { resumePointContract } from './resume-point.contract.js';
import type { SessionRecord } from './session-record.js';
import { anyRecord, type StoreUnderTest } from './session-store.fixture.js';
import { expiredRetentionMs, type SessionKey, type SessionStore } from './session-store.js';

/** Guarantees of every session store. `open` returns a store without other writers. */
export function sessionStoreContract(open: () => Promise<StoreUnderTest>): void {
  const held = async (store: SessionStore, key: SessionKey, lockMs = 5000) => {
    const hold = await store.hold(key, lockMs);
    if (hold.kind !== 'held') throw new Error('the session is busy');
    return hold;
  };
  const put = async (store: SessionStore, record: SessionRecord, liveMs: number) => {
    expect(await store.save((await held(store, record)).lock, record, liveMs)).toBe(true);
  };
  const read = async (store: SessionStore, key: SessionKey) => {
    const { lock, session } = await held(store, key);
    await store.release(key, lock);
    return session;
  };

  describe('a session', () => {
    it('is unknown before it is saved, and complete after', async () => {
      const { store } = await open();
      const record = anyRecord({
        position: { state: 'a', language: 'en', choices: {}, page: 1, notice: { text: 'x', page: 1 } },
      });
      expect(await read(store, record)).toBeUndefined();
      await put(store, record, 60_000);
      expect(await read(store, record)).toEqual({ phase: 'live', record });
    });

    it('belongs to its number: another number with the same id does not see it', async () => {
      const { store } = await open();
      const mine = anyRecord();
      const theirs = anyRecord({ sessionId: mine.sessionId });
      await put(store, mine, 60_000);
      expect(await read(store, theirs)).toBeUndefined();
      await put(store, theirs, 60_000);
      expect(await read(store, mine)).toEqual({ phase: 'live', record: mine });
    });

    it('is live for its saved time, and then expired', () =>
      onTime(async (lasts) => {
        const { store, pass } = await open();
        const record = anyRecord();
        const live = lasts(700);
        await put(store, record, 700);
        const found = await read(store, record);
        live();
        expect(found).toMatchObject({ phase: 'live' });
        await pass(701);
        expect(await read(store, record)).toEqual({ phase: 'past', record });
      }));

    it('that is saved again is live from that time', () =>
      onTime(async (lasts) => {
        const { store, pass } = await open();
        const record = anyRecord();
        await put(store, record, 1000);
        await pass(600);
        const live = lasts(1000);
        await put(store, record, 1000);
        await pass(600);
        const found = await read(store, record);
        live();
        expect(found).toMatchObject({ phase: 'live' });
      }));

    it('that ended expires at once', async () => {
      const { store } = await open();
      const record = anyRecord({ ended: true });
      await put(store, record, 0);
      expect(await read(store, record)).toEqual({ phase: 'past', record });
    });

    it('that expired is deleted in the end', async () => {
      const { store, pass, skips } = await open();
      if (!skips) return;
      const record = anyRecord();
      await put(store, record, 1000);
      await pass(1000 + expiredRetentionMs - 1);
      expect(await read(store, record)).toMatchObject({ phase: 'past' });
      await pass(1);
      expect(await read(store, record)).toBeUndefined();
    });
  });

  describe('the lock', () => {
    it('has one holder at a time', async () => {
      const { store } = await open();
      const record = anyRecord();
      const tries = await Promise.all(Array.from({ length: 20 }, () => store.hold(record, 5000)));
      expect(tries.filter(({ kind }) => kind === 'held')).toHaveLength(1);
    });

    it('does not block other sessions', async () => {
      const { store } = await open();
      await held(store, anyRecord());
      await held(store, anyRecord());
    });

    it('is free after a save and after a release', async () => {
      const { store } = await open();
      const record = anyRecord();
      await put(store, record, 60_000);
      const { lock } = await held(store, record);
      await store.release(record, lock);
      await held(store, record);
    });

    it('expires, and its late holder changes nothing', async () => {
      const { store, pass } = await open();
      const record = anyRecord();
      const slow = await held(store, record, 100);
      await pass(101);
      const next = await held(store, record);
      expect(await store.save(slow.lock, { ...record, message: 'slow' }, 60_000)).toBe(false);
      await store.release(record, slow.lock);
      expect((await store.hold(record, 100)).kind).toBe('busy');
      expect(await store.save(next.lock, record, 60_000)).toBe(true);
      expect(await read(store, record)).toEqual({ phase: 'live', record });
    });

    it('that expired saves nothing, even if it was not locked since', async () => {
      const { store, pass } = await open();
      const record = anyRecord();
      const slow = await held(store, record, 100);
      await pass(101);
      expect(await store.save(slow.lock, record, 60_000)).toBe(false);
      expect(await read(store, record)).toBeUndefined();
    });
  });

  describe('the list', () => {
    it('contains live sessions, each id once', async () => {
      const { store } = await open();
      const first = anyRecord();
      const second = anyRecord();
      for (const record of [first, second, anyRecord({ sessionId: first.sessionId })]) await put(store, record, 60_000);
      expect((await store.listLive('default')).toSorted()).toEqual([first.sessionId, second.sessionId].toSorted());
      expect(await store.countLive('default')).toBe(3);
    });

    it('drops ended and expired sessions', async () => {
      const { store, pass } = await open();
      const [ending, short, long] = [anyRecord(), anyRecord(), anyRecord()];
      await put(store, ending, 60_000);
      await put(store, long, 60_000);
      await put(store, short, 200);
      await put(store, { ...ending, ended: true }, 0);
      await pass(201);
      expect(await store.listLive('default')).toEqual([long.sessionId]);
    });

    it('is empty before the first dial', async () => {
      const { store } = await open();
      expect(await store.listLive('default')).toEqual([]);
    });
  });

  resumePointContract(open);

  describe('a lookup of one session', () => {
    it('finds a live one by its id alone', async () => {
      const { store } = await open();
      const record = anyRecord({ sessionId: 'with spaces and ünïcode' });
      await put(store, record, 60_000);
      expect(await store.findLive(record.sessionId, ['canonical'])).toEqual(record);
      expect(await store.findLive('another', ['canonical'])).toBeUndefined();
    });

    it('finds neither an expired one nor an ended one', async () => {
      const { store, pass } = await open();
      const [expired, ended] = [anyRecord(), anyRecord({ ended: true })];
      await put(store, expired, 200);
      await put(store, ended, 0);
      await pass(201);
      expect(await store.findLive(expired.sessionId, ['canonical'])).toBeUndefined();
      expect(await store.findLive(ended.sessionId, ['canonical'])).toBeUndefined();
    });

    it('finds, of two subscribers with one id, the session saved last', async () => {
      const { store, pass } = await open();
      const first = anyRecord();
      const second = anyRecord({ sessionId: first.sessionId });
      await put(store, first, 60_000);
      await pass(5);
      await put(store, second, 60_000);
      await pass(5);
      await put(store, first, 60_000);
      expect(await store.findLive(first.sessionId, ['canonical'])).toEqual(first);
    });

    it('neither needs the lock nor locks it', async () => {
      const { store } = await open();
      const record = anyRecord();
      await put(store, record, 60_000);
      await held(store, record);
      expect(await store.findLive(record.sessionId, ['canonical'])).toEqual(record);
    });
  });
}
