import { describe, expect, it } from 'vitest';
import { onTime } from './on-time.fixture.js';
import type { ResumePoint } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { anyRecord, type StoreUnderTest } from './session-store.fixture.js';
import type { SessionKey, SessionStore } from './session-store.js';

/** Guarantees of every session store for the resume points of lost sessions. */
export function resumePointContract(open: () => Promise<StoreUnderTest>): void {
  const held = async (store: SessionStore, key: SessionKey, lockMs = 5000) => {
    const hold = await store.hold(key, lockMs);
    if (hold.kind !== 'held') throw new Error('the session is busy');
    return hold;
  };

  describe('a resume point', () => {
    const retentionMs = 400;
    const placeOf = (record: SessionRecord, state: string): ResumePoint => ({
      sessionId: record.sessionId,
      flow: record.flow,
      place: { state, language: 'sw', choices: { topic: 'pricing' }, page: 1, entries: { name: 'Zoë' } },
    });
    const leave = async (
      store: SessionStore,
      record: SessionRecord,
      left: { liveMs: number; place: ResumePoint | undefined },
    ) => {
      const { lock } = await held(store, record);
      expect(await store.save(lock, record, left.liveMs, { point: left.place, retentionMs })).toBe(true);
    };
    /** The resume point that a dial of the number finds, in another session. */
    const dial = async (store: SessionStore, { phoneNumber, serviceCode }: SessionRecord) => {
      const key = { aggregator: 'canonical', sessionId: anyRecord().sessionId, phoneNumber };
      const hold = await store.hold(key, 5000, serviceCode);
      if (hold.kind !== 'held') throw new Error('the session is busy');
      await store.release(key, hold.lock);
      expect(hold.session).toBeUndefined();
      return hold.resumePoint;
    };

    it('is found complete by the next dial of the number and code, and by no other', async () => {
      const { store } = await open();
      const record = anyRecord();
      const place = placeOf(record, 'infoTopic');
      expect(await dial(store, record)).toBeUndefined();
      await leave(store, record, { liveMs: 60_000, place });
      expect(await dial(store, record)).toEqual(place);
      expect(await dial(store, { ...record, serviceCode: '*385#' })).toBeUndefined();
      expect(await dial(store, { ...record, phoneNumber: '+254700000009' })).toBeUndefined();
      expect((await held(store, record)).resumePoint).toBeUndefined();
    });

    it('outlives its session by its retention, and is not listed as live', () =>
      onTime(async (lasts) => {
        const { store, pass } = await open();
        const record = anyRecord();
        const left = lasts(300 + retentionMs);
        await leave(store, record, { liveMs: 300, place: placeOf(record, 'infoTopic') });
        await pass(301);
        expect(await store.listLive('default')).toEqual([]);
        expect(await store.findLive(record.sessionId, ['canonical'])).toBeUndefined();
        const found = await dial(store, record);
        left();
        expect(found).toMatchObject({ sessionId: record.sessionId });
        await pass(retentionMs);
        expect(await dial(store, record)).toBeUndefined();
      }));

    it('is that of the session saved last', async () => {
      const { store } = await open();
      const first = anyRecord();
      const second = { ...first, sessionId: anyRecord().sessionId };
      await leave(store, first, { liveMs: 60_000, place: placeOf(first, 'infoTopic') });
      await leave(store, second, { liveMs: 60_000, place: placeOf(second, 'nameEntry') });
      expect(await dial(store, first)).toMatchObject({ place: { state: 'nameEntry' } });
    });

    it('is removed by the session that stored it, not by another', async () => {
      const { store } = await open();
      const mine = anyRecord();
      const other = { ...mine, sessionId: anyRecord().sessionId };
      await leave(store, mine, { liveMs: 60_000, place: placeOf(mine, 'infoTopic') });
      await leave(store, { ...other, ended: true }, { liveMs: 0, place: undefined });
      expect(await dial(store, mine)).toMatchObject({ sessionId: mine.sessionId });
      expect(await store.save((await held(store, mine)).lock, mine, 60_000)).toBe(true);
      expect(await dial(store, mine)).toMatchObject({ sessionId: mine.sessionId });
      await leave(store, { ...mine, ended: true }, { liveMs: 0, place: undefined });
      expect(await dial(store, mine)).toBeUndefined();
    });

    it('is not stored by a writer that lost the lock', async () => {
      const { store, pass } = await open();
      const record = anyRecord();
      const slow = await held(store, record, 50);
      await pass(51);
      const left = { point: placeOf(record, 'infoTopic'), retentionMs };
      expect(await store.save(slow.lock, record, 60_000, left)).toBe(false);
      expect(await dial(store, record)).toBeUndefined();
    });
  });
}
