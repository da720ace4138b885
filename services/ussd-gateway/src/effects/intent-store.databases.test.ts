import { beforeEach, describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import type { Intent, Lease } from './intent.js';
import { IntentStore } from './intent-store.js';
import { leaseMs, newIntent, outcome, times } from './new-intent.fixture.js';
import { passOnIntents } from './pass-on.fixture.js';

onDatabases((name, database) => {
  describe(`intents on ${name}`, () => {
    let store: IntentStore;
    let pass: (ms: number) => Promise<void>;
    let intent: Intent;
    beforeEach(() => {
      store = new IntentStore(database().db);
      pass = passOnIntents(database());
      intent = newIntent();
    });
    const begin = async (begun = intent): Promise<Lease> => {
      const answer = await store.begin(begun, times);
      if (answer.kind !== 'begun') throw new Error('it was there before');
      return answer.leased;
    };

    it('leases a new intent with all data needed to run it', async () => {
      const { key, effect, place, sealedInput, subscriber } = intent;
      const { phoneNumber, aggregator } = subscriber;
      const given = { key, effect, place, sealedInput, aggregator, phoneNumber };
      const leased = { ...given, tries: 1, ageMs: 0, send: undefined };
      expect(await store.begin(intent, times)).toEqual({ kind: 'begun', leased });
      expect(await store.find(key)).toEqual({ key, place: intent.place, state: 'running', outcome: undefined });
      expect(await store.lease(key, leaseMs)).toBeUndefined();
      expect(await store.find('nobody')).toBeUndefined();
    });

    it('begins one intent once for concurrent requests', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => store.begin(intent, times)));
      expect(all.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
      const known = all.filter((begun) => begun.kind === 'known');
      expect(new Set(known.map((begun) => begun.intent.key))).toEqual(new Set([intent.key]));
    });

    it('has one open intent per subscriber and effect, and begins another after it ended', async () => {
      await begin();
      const second = { ...newIntent(), subscriber: intent.subscriber, effect: intent.effect };
      expect(await store.begin(second, times)).toMatchObject({ kind: 'known', intent: { key: intent.key } });
      for (const other of [
        { ...second, effect: 'other' },
        { ...second, key: `${second.key}-b`, subscriber: { ...intent.subscriber, serviceCode: '*1#' } },
        { ...second, key: `${second.key}-c`, subscriber: { ...intent.subscriber, aggregator: 'nalo' } },
      ]) {
        expect(await store.begin(other, times)).toMatchObject({ kind: 'begun' });
      }
      await store.settle(intent.key, outcome, 'answered');
      await store.acknowledge(intent.key);
      expect(await store.begin({ ...second, key: `${second.key}-d` }, times)).toMatchObject({ kind: 'begun' });
      expect(await store.begin(intent, times)).toMatchObject({ kind: 'known', intent: { outcome } });
    });

    it('blocks a new intent of another session while an outcome was not shown, for a limited time', async () => {
      await begin();
      await store.settle(intent.key, outcome, 'answered');
      const place = { ...intent.place, nonce: 'other' };
      const next = { ...newIntent(), subscriber: intent.subscriber, effect: intent.effect, place };
      expect(await store.begin(next, times)).toMatchObject({ kind: 'known', intent: { key: intent.key, outcome } });
      const same = { ...next, key: `${next.key}-same`, place: intent.place };
      expect(await store.begin(same, times)).toMatchObject({ kind: 'begun' });
      await store.settle(same.key, outcome, 'answered');
      await store.acknowledge(same.key);
      await pass(times.unshownMs + 1);
      expect(await store.begin(next, times)).toMatchObject({ kind: 'begun', leased: { key: next.key } });
    });

    it('keeps the first outcome, and deletes the input', async () => {
      const lease = await begin();
      expect(await store.settle(intent.key, outcome, 'answered')).toEqual(outcome);
      expect(await store.settle(intent.key, { result: 'refused' }, 'answered')).toEqual(outcome);
      expect(await store.find(intent.key)).toEqual({ key: intent.key, place: intent.place, state: 'settled', outcome });
      await pass(leaseMs + 1);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      expect(await store.renew(lease, leaseMs)).toBe(false);
    });

    it('replaces unanswered by the first definite outcome, and by no other', async () => {
      await begin();
      await store.settle(intent.key, { result: 'unanswered', facts: {} }, 'answered');
      await store.acknowledge(intent.key);
      expect(await store.settle(intent.key, outcome, 'answered')).toEqual(outcome);
      expect(await store.settle(intent.key, { result: 'refused' }, 'answered')).toEqual(outcome);
      expect(await store.settle(intent.key, { result: 'unanswered' }, 'answered')).toEqual(outcome);
      const { effect, subscriber, place } = intent;
      const next = newIntent({ effect, subscriber, place: { ...place, nonce: 'another session' } });
      expect(await store.begin(next, times)).toMatchObject({ kind: 'known', intent: { key: intent.key, outcome } });
    });

    it('lists contradicted outcomes of a service for review, latest first', async () => {
      const subscriber = { ...intent.subscriber, aggregator: `canonical/s${intent.key}` };
      const keys: string[] = [];
      while (keys.length < 2) {
        const { key } = await begin(newIntent({ subscriber }));
        for (const each of [outcome, { result: 'refused' }]) await store.settle(key, each, 'answered');
        await pass(1000);
        keys.unshift(key);
      }
      await store.settle((await begin(newIntent({ subscriber }))).key, outcome, 'answered');
      const service = subscriber.aggregator.split('/')[1] ?? '';
      const found = await store.toReview(service, 60_000, 10);
      expect(found.map(({ key }) => key)).toEqual(keys);
      expect(found[0]).toMatchObject({ outcome, contradictions: [{ result: 'refused' }], webhook: undefined });
      expect(await store.toReview(service, 60_000, 1)).toEqual(found.slice(0, 1));
      expect(await store.toReview('other', 60_000, 100)).toEqual([]);
      await pass(60_001);
      expect(await store.toReview(service, 60_000, 10)).toEqual([]);
    });

    it('leases to one process at a time: again once a lease expired, not while it is renewed', async () => {
      const first = await begin();
      await pass(leaseMs - 1000);
      expect(await store.renew(first, leaseMs)).toBe(true);
      await pass(2000);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      await pass(leaseMs);
      const all = await Promise.all(Array.from({ length: 10 }, () => store.lease(intent.key, leaseMs)));
      expect(all.filter((leased) => leased !== undefined)).toEqual([
        expect.objectContaining({ key: intent.key, tries: 2, sealedInput: intent.sealedInput }),
      ]);
      // The previous holder changes nothing any more.
      expect(await store.renew(first, 10 * leaseMs)).toBe(false);
      await store.endRun(first, 'postponed', 0);
      await store.endRun(first, 'patienceEnded', 0);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      await pass(leaseMs + 1);
      expect(await store.lease(intent.key, leaseMs)).toMatchObject({ tries: 3 });
    });

    it('returns due intents of the given effects without a lease, longest due first', async () => {
      const later = newIntent({ effect: intent.effect });
      const foreign = newIntent();
      for (const one of [intent, later, foreign]) await begin(one);
      expect(await store.leaseDue([intent.effect], 10, leaseMs)).toEqual([]);
      await store.endRun({ key: intent.key, tries: 1 }, 'postponed', 5000);
      await store.endRun({ key: later.key, tries: 1 }, 'postponed', 3000);
      await store.endRun({ key: foreign.key, tries: 1 }, 'postponed', 0);
      expect(await store.leaseDue([intent.effect], 10, leaseMs)).toEqual([]);
      await pass(5001);
      expect((await store.leaseDue([intent.effect], 1, leaseMs)).map(({ key }) => key)).toEqual([later.key]);
      expect((await store.leaseDue([intent.effect], 10, leaseMs)).map(({ key }) => key)).toEqual([intent.key]);
      expect(await store.leaseDue([], 10, leaseMs)).toEqual([]);
    });

    it('can be polled before it is due, if it was postponed', async () => {
      await store.endRun(await begin(), 'postponed', 60_000);
      expect(await store.lease(intent.key, leaseMs)).toMatchObject({ tries: 2 });
    });

    it('allows a new intent after one was abandoned', async () => {
      await store.endRun(await begin(), 'patienceEnded', 0);
      await pass(leaseMs + 1);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      expect(
        await store.begin({ ...newIntent(), subscriber: intent.subscriber, effect: intent.effect }, times),
      ).toMatchObject({
        kind: 'begun',
      });
    });

    it('deletes old ended intents, and no open one', async () => {
      await store.purge(0, 1000);
      const open = newIntent();
      await begin();
      await begin(open);
      await store.settle(intent.key, outcome, 'answered');
      await pass(10_000);
      expect(await store.purge(11_000, 100)).toBe(0);
      await pass(1001);
      expect(await store.purge(11_000, 100)).toBe(1);
      expect(await store.find(intent.key)).toBeUndefined();
      expect(await store.find(open.key)).toBeDefined();
    });
  });
});
