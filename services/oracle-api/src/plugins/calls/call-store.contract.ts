import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CallStore } from './call-store.js';
import { type NewCall, openCallLimit, participantLimit } from './call-store.js';

export interface CallStoreSetting {
  readonly store: CallStore;
  readonly addSession: (ownerDid: string, sessionId: string) => Promise<unknown>;
  readonly deleteSession: (ownerDid: string, sessionId: string) => Promise<unknown>;
}

const at = (seconds: number) => new Date(seconds * 1_000);

/** Contract of every adapter of the port. */
export function callStoreContract(name: string, open: () => CallStoreSetting): void {
  async function someone(sessions = 1) {
    const setting = open();
    const ownerDid = `did:key:${randomUUID()}`;
    const sessionIds = Array.from({ length: sessions }, () => randomUUID());
    for (const sessionId of sessionIds) await setting.addSession(ownerDid, sessionId);
    const [sessionId = ''] = sessionIds;
    const call = (more: Partial<NewCall> = {}): NewCall => ({
      callId: randomUUID(),
      ownerDid,
      sessionId,
      kind: 'audio',
      createdAt: at(100),
      expiresAt: at(200),
      sealedKey: 'sealed',
      ...more,
    });
    return { ...setting, ownerDid, sessionId, sessionIds, call };
  }
  const seen = (call: NewCall) => {
    const { sealedKey: _, ...shown } = call;
    return { ...shown, participants: [] };
  };

  describe(`${name} stores calls`, () => {
    it('separately per user, newest first, in pages, by session', async () => {
      const { store, ownerDid, sessionIds, call } = await someone(2);
      const calls = [call(), call({ sessionId: sessionIds[1] ?? '', kind: 'video' })];
      for (const one of calls) expect(await store.start(one)).toMatchObject({ kind: 'started' });
      const page = { limit: 10, offset: 0 };
      const [first, second] = calls.map(seen);
      expect(await store.list(ownerDid, page, at(150))).toEqual({ calls: [second, first], total: 2 });
      expect(await store.list(ownerDid, { limit: 1, offset: 1 }, at(150))).toEqual({ calls: [first], total: 2 });
      expect(await store.list(ownerDid, { ...page, sessionId: sessionIds[1] }, at(150))).toMatchObject({ total: 1 });
      expect(await store.find(ownerDid, first?.callId ?? '', at(150))).toEqual(first);
      const otherUser = `did:key:${randomUUID()}`;
      expect(await store.list(otherUser, page, at(150))).toEqual({ calls: [], total: 0 });
      expect(await store.find(otherUser, first?.callId ?? '', at(150))).toBe(undefined);
      expect(await store.end(otherUser, first?.callId ?? '', at(150))).toBe(undefined);
      expect(await store.findOpen(first?.callId ?? '', at(150))).toEqual({ ...first, sealedKey: 'sealed' });
      expect(await store.findOpen('nul\u0000', at(150))).toBe(undefined);
    });

    it('one at a time in a session, also under concurrency', async () => {
      const { store, call } = await someone();
      const started = await Promise.all([1, 2, 3].map(() => store.start(call())));
      expect(started.map(({ kind }) => kind).sort()).toEqual(['already_open', 'already_open', 'started']);
      expect(new Set(started.map((result) => 'call' in result && result.call.callId)).size).toBe(1);
    });

    it('only in sessions of the same user, and deletes them with the session', async () => {
      const { store, ownerDid, sessionId, call, deleteSession } = await someone();
      expect(await store.start(call({ sessionId: randomUUID() }))).toEqual({ kind: 'no_session' });
      expect(await store.start(call({ ownerDid: `did:key:${randomUUID()}` }))).toEqual({ kind: 'no_session' });
      expect(await store.start(call({ sessionId: 'a\u0000b' }))).toEqual({ kind: 'no_session' });
      const one = call();
      await store.start(one);
      await deleteSession(ownerDid, sessionId);
      expect(await store.find(ownerDid, one.callId, at(150))).toBe(undefined);
      expect(await store.findOpen(one.callId, at(150))).toBe(undefined);
    });

    it('up to a limit of open calls per user', async () => {
      const { store, sessionIds, call, ownerDid } = await someone(openCallLimit + 1);
      const results = [];
      for (const sessionId of sessionIds) results.push(await store.start(call({ sessionId })));
      expect(results.filter(({ kind }) => kind === 'started')).toHaveLength(openCallLimit);
      expect(results.at(-1)).toEqual({ kind: 'too_many' });
      const [first] = results;
      await store.end(ownerDid, first !== undefined && 'call' in first ? first.call.callId : '', at(150));
      expect(await store.start(call({ sessionId: sessionIds.at(-1) ?? '' }))).toMatchObject({ kind: 'started' });
    });

    it('that end once: by their owner, with their room, or at their expiry', async () => {
      const { store, ownerDid, sessionIds, call } = await someone(3);
      const [own, closed, over] = sessionIds.map((sessionId) => call({ sessionId }));
      for (const one of [own, closed, over]) if (one !== undefined) await store.start(one);
      const find = (one: NewCall | undefined, now: number) => store.find(ownerDid, one?.callId ?? '', at(now));
      expect(await store.end(ownerDid, own?.callId ?? '', at(150))).toMatchObject({
        end: { at: at(150), reason: 'hung_up' },
      });
      expect(await store.end(ownerDid, own?.callId ?? '', at(160))).toMatchObject({ end: { at: at(150) } });
      await store.closeRoom(closed?.callId ?? '', at(155));
      expect(await find(closed, 160)).toMatchObject({ end: { at: at(155), reason: 'room_closed' } });
      expect((await find(over, 199))?.end).toBe(undefined);
      expect(await find(over, 200)).toMatchObject({ end: { at: at(200), reason: 'expired' } });
      await store.closeRoom(over?.callId ?? '', at(300));
      expect(await find(over, 301)).toMatchObject({ end: { at: at(200), reason: 'expired' } });
      for (const one of [own, closed, over]) expect(await store.findOpen(one?.callId ?? '', at(201))).toBe(undefined);
    });

    it('and starts a new one after the expiry of the last', async () => {
      const { store, call } = await someone();
      await store.start(call());
      expect(await store.start(call({ createdAt: at(200), expiresAt: at(300) }))).toMatchObject({ kind: 'started' });
    });

    it('with their participants, independent of the order and repetition of events', async () => {
      const sightings = [
        { identity: 'caller', did: 'join', at: at(110) },
        { identity: 'agent', did: 'join', at: at(112) },
        { identity: 'caller', did: 'leave', at: at(120) },
        { identity: 'caller', did: 'join', at: at(121) },
        { identity: 'agent', did: 'leave', at: at(140) },
      ] as const;
      for (const sequence of [sightings, sightings.toReversed(), [...sightings, ...sightings]]) {
        const { store, ownerDid, call } = await someone();
        const one = call();
        await store.start(one);
        for (const sighting of sequence) await store.sight(one.callId, sighting);
        const found = await store.find(ownerDid, one.callId, at(150));
        expect(found).toMatchObject({ startedAt: at(110) });
        expect(found?.participants).toHaveLength(2);
        expect(found?.participants).toContainEqual({ identity: 'caller', joinedAt: at(121) });
        expect(found?.participants).toContainEqual({ identity: 'agent', joinedAt: at(112), leftAt: at(140) });
      }
    });

    it('until their owner deletes them all, without those of others', async () => {
      const [asha, bo] = [await someone(), await someone()];
      const [hers, his] = [asha.call(), bo.call()];
      await asha.store.start(hers);
      await bo.store.start(his);
      const { store, ownerDid } = asha;
      expect([await store.removeAll(ownerDid), await store.removeAll(ownerDid)]).toEqual([1, 0]);
      expect(await store.find(ownerDid, hers.callId, at(150))).toBe(undefined);
      expect(await bo.store.find(bo.ownerDid, his.callId, at(150))).toBeDefined();
    });

    it('without more participants than the limit, or calls that do not exist', async () => {
      const { store, ownerDid, call } = await someone();
      const one = call();
      await store.start(one);
      for (let number = 0; number <= participantLimit; number += 1) {
        await store.sight(one.callId, { identity: `agent-${number}`, did: 'join', at: at(110 + number) });
      }
      expect((await store.find(ownerDid, one.callId, at(150)))?.participants).toHaveLength(participantLimit);
      await store.sight(randomUUID(), { identity: 'caller', did: 'join', at: at(110) });
      await store.closeRoom(randomUUID(), at(110));
      expect(await store.find(ownerDid, 'a\u0000b', at(110))).toBe(undefined);
    });
  });
}
