import { beforeEach, describe, expect, it } from 'vitest';
import type { Intent } from './intent.js';
import { type IntentStore, type Lease, messageEffect, messageSuffix } from './intent-store.js';

export interface OpenIntents {
  readonly store: IntentStore;
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>;
}

const leaseMs = 10_000;
const times = { leaseMs, tellMs: 60_000 };
const outcome = { result: 'paid', facts: { reference: 'R-1' } };
let serial = 0;

/** Guarantees of every `IntentStore`. */
export function intentStoreContract(name: string, open: () => OpenIntents): void {
  describe(`intents on ${name}`, () => {
    let store: IntentStore;
    let pass: OpenIntents['pass'];
    let intent: Intent;
    const unique = (change: Partial<Intent> = {}): Intent => ({
      key: `key-${++serial}`,
      subscriber: {
        aggregator: 'canonical',
        phoneNumber: `+26097${String(serial).padStart(7, '0')}`,
        serviceCode: '*384#',
      },
      effect: `pay-${serial}`,
      place: {
        flow: { id: 'default', version: 2 },
        nonce: 'n',
        position: { state: 'amount', language: 'en', choices: {}, page: 0, entries: { amount: '250' } },
        by: 'entry',
      },
      sealedInput: `sealed-${serial}`,
      inputDigest: `digest-${serial}`,
      ...change,
    });
    const begin = async (begun = intent): Promise<Lease> => {
      const answer = await store.begin(begun, times);
      if (answer.kind !== 'begun') throw new Error('it was there before');
      return answer.leased;
    };
    beforeEach(() => {
      ({ store, pass } = open());
      intent = unique();
    });

    it('leases a new intent with all data needed to run it', async () => {
      const { key, effect, place, sealedInput, subscriber } = intent;
      const { phoneNumber, aggregator } = subscriber;
      const given = { key, effect, place, sealedInput, aggregator, phoneNumber };
      const leased = { ...given, tries: 1, ageMs: 0, handed: undefined };
      expect(await store.begin(intent, times)).toEqual({ kind: 'begun', leased });
      expect(await store.find(key)).toEqual({ key, place: intent.place, outcome: undefined });
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
      const second = { ...unique(), subscriber: intent.subscriber, effect: intent.effect };
      expect(await store.begin(second, times)).toMatchObject({ kind: 'known', intent: { key: intent.key } });
      for (const other of [
        { ...second, effect: 'other' },
        { ...second, key: `${second.key}-b`, subscriber: { ...intent.subscriber, serviceCode: '*1#' } },
        { ...second, key: `${second.key}-c`, subscriber: { ...intent.subscriber, aggregator: 'nalo' } },
      ]) {
        expect(await store.begin(other, times)).toMatchObject({ kind: 'begun' });
      }
      await store.settle(intent.key, outcome);
      await store.acknowledge(intent.key);
      expect(await store.begin({ ...second, key: `${second.key}-d` }, times)).toMatchObject({ kind: 'begun' });
      expect(await store.begin(intent, times)).toMatchObject({ kind: 'known', intent: { outcome } });
    });

    it('blocks a new intent of another session while an outcome was not shown, for a limited time', async () => {
      await begin();
      await store.settle(intent.key, outcome);
      const place = { ...intent.place, nonce: 'other' };
      const next = { ...unique(), subscriber: intent.subscriber, effect: intent.effect, place };
      expect(await store.begin(next, times)).toMatchObject({ kind: 'known', intent: { key: intent.key, outcome } });
      const same = { ...next, key: `${next.key}-same`, place: intent.place };
      expect(await store.begin(same, times)).toMatchObject({ kind: 'begun' });
      await store.settle(same.key, outcome);
      await store.acknowledge(same.key);
      await pass(times.tellMs + 1);
      expect(await store.begin(next, times)).toMatchObject({ kind: 'begun', leased: { key: next.key } });
    });

    it('keeps the first outcome, and deletes the input', async () => {
      const lease = await begin();
      expect(await store.settle(intent.key, outcome)).toEqual(outcome);
      expect(await store.settle(intent.key, { result: 'refused' })).toEqual(outcome);
      expect(await store.find(intent.key)).toEqual({ key: intent.key, place: intent.place, outcome });
      await pass(leaseMs + 1);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      expect(await store.renew(lease, leaseMs)).toBe(false);
    });

    it('replaces unanswered by the first definite outcome, and by no other', async () => {
      await begin();
      await store.settle(intent.key, { result: 'unanswered', facts: {} });
      await store.acknowledge(intent.key);
      expect(await store.settle(intent.key, outcome)).toEqual(outcome);
      expect(await store.settle(intent.key, { result: 'refused' })).toEqual(outcome);
      expect(await store.settle(intent.key, { result: 'unanswered' })).toEqual(outcome);
      const { effect, subscriber, place } = intent;
      const next = unique({ effect, subscriber, place: { ...place, nonce: 'another session' } });
      expect(await store.begin(next, times)).toMatchObject({ kind: 'known', intent: { key: intent.key, outcome } });
    });

    it('lists contradicted outcomes of a service for review, latest first', async () => {
      const subscriber = { ...intent.subscriber, aggregator: `canonical/s${serial}` };
      const keys: string[] = [];
      while (keys.length < 2) {
        const { key } = await begin(unique({ subscriber }));
        for (const each of [outcome, { result: 'refused' }]) await store.settle(key, each);
        await pass(1000);
        keys.unshift(key);
      }
      await store.settle((await begin(unique({ subscriber }))).key, outcome);
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
      await store.putOff(first, 0);
      await store.giveUp(first);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      await pass(leaseMs + 1);
      expect(await store.lease(intent.key, leaseMs)).toMatchObject({ tries: 3 });
    });

    it('returns due intents of the given effects without a lease, longest due first', async () => {
      const later = unique({ effect: intent.effect });
      const foreign = unique();
      for (const one of [intent, later, foreign]) await begin(one);
      expect(await store.leaseDue([intent.effect], 10, leaseMs)).toEqual([]);
      await store.putOff({ key: intent.key, tries: 1 }, 5000);
      await store.putOff({ key: later.key, tries: 1 }, 3000);
      await store.putOff({ key: foreign.key, tries: 1 }, 0);
      expect(await store.leaseDue([intent.effect], 10, leaseMs)).toEqual([]);
      await pass(5001);
      expect((await store.leaseDue([intent.effect], 1, leaseMs)).map(({ key }) => key)).toEqual([later.key]);
      expect((await store.leaseDue([intent.effect], 10, leaseMs)).map(({ key }) => key)).toEqual([intent.key]);
      expect(await store.leaseDue([], 10, leaseMs)).toEqual([]);
    });

    it('can be polled before it is due, if it was postponed', async () => {
      await store.putOff(await begin(), 60_000);
      expect(await store.lease(intent.key, leaseMs)).toMatchObject({ tries: 2 });
    });

    it('allows a new intent after one was abandoned', async () => {
      await store.giveUp(await begin());
      await pass(leaseMs + 1);
      expect(await store.lease(intent.key, leaseMs)).toBeUndefined();
      expect(
        await store.begin({ ...unique(), subscriber: intent.subscriber, effect: intent.effect }, times),
      ).toMatchObject({
        kind: 'begun',
      });
    });

    it('deletes old ended intents, and no open one', async () => {
      await store.purge(0, 1000);
      const open = unique();
      await begin();
      await begin(open);
      await store.settle(intent.key, outcome);
      await pass(10_000);
      expect(await store.purge(11_000, 100)).toBe(0);
      await pass(1001);
      expect(await store.purge(11_000, 100)).toBe(1);
      expect(await store.find(intent.key)).toBeUndefined();
      expect(await store.find(open.key)).toBeDefined();
    });

    describe('and messages started by outcomes', () => {
      const messages = {
        paid: { operation: 'receipt', text: '{appName}: {amount} {reference}', facts: { appName: 'Soko' } },
      };
      const paying = () => unique({ place: { ...intent.place, messages } });
      const due = async (key: string) =>
        (await store.leaseDue([messageEffect], 1000, leaseMs)).filter(
          (leased) => leased.key === `${key}${messageSuffix}`,
        );

      it('has one message due once its outcome is stored, for any number of repeats, and none for another outcome', async () => {
        const [paid, refused] = [paying(), paying()];
        for (const one of [paid, refused]) await begin(one);
        await Promise.all(Array.from({ length: 5 }, () => store.settle(paid.key, outcome)));
        await store.settle(refused.key, { result: 'refused' });
        expect(await due(refused.key)).toEqual([]);
        await pass(leaseMs + 1);
        const leased = await due(paid.key);
        expect(leased).toMatchObject([{ effect: messageEffect, sealedInput: undefined, handed: undefined }]);
        expect(leased[0]?.place).toEqual({
          ...intent.place,
          message: { ...messages.paid, facts: { appName: 'Soko', ...outcome.facts } },
        });
        await store.settle(`${paid.key}${messageSuffix}`, { result: 'sent' });
        await store.settle(paid.key, outcome);
        await pass(leaseMs + 1);
        expect(await due(paid.key)).toEqual([]);
      });

      it('has many messages of one subscriber, which block no effect and are not shown to the caller', async () => {
        const first = paying();
        const second = { ...paying(), subscriber: first.subscriber };
        const [before, messagesBefore] = await store.underWay();
        for (const one of [first, second]) {
          await begin(one);
          await store.settle(one.key, outcome);
        }
        expect([
          await store.find(`${first.key}${messageSuffix}`),
          await store.find(`${second.key}${messageSuffix}`),
        ]).toMatchObject([{ outcome: undefined }, { outcome: undefined }]);
        const [acts, messages] = await store.underWay();
        expect(acts?.count).toBe(before?.count);
        expect(messages?.count).toBe((messagesBefore?.count ?? 0) + 2);
      });

      it('counts the earlier messages to a phone', async () => {
        const first = paying();
        const counts: number[] = [];
        for (const one of [
          first,
          { ...paying(), subscriber: first.subscriber },
          { ...paying(), subscriber: first.subscriber },
        ]) {
          await begin(one);
          await store.settle(one.key, outcome);
          const leased = await store.lease(`${one.key}${messageSuffix}`, leaseMs);
          if (leased !== undefined) counts.push(await store.messagesBefore(leased, 15_000));
          await pass(10_000);
        }
        expect(counts).toEqual([0, 1, 1]);
      });

      it('stores the provider of a message and its reference', async () => {
        const parent = paying();
        await begin(parent);
        await store.settle(parent.key, outcome);
        const lease = await store.lease(`${parent.key}${messageSuffix}`, leaseMs);
        if (lease === undefined) throw new Error('there is no message');
        expect(await store.noteHanded(lease, 'maybe')).toBe(true);
        await pass(leaseMs + 1);
        const next = await store.lease(lease.key, leaseMs);
        expect(next?.handed).toEqual({ agoMs: expect.closeTo(leaseMs + 1, -3), reference: undefined });
        // The previous holder stores nothing any more.
        expect(await store.noteHanded(lease, 'no')).toBe(false);
        if (next === undefined) throw new Error('it is held');
        const reference = `ATXid_${parent.key}`;
        expect(await store.noteHanded(next, { reference })).toBe(true);
        expect(await store.findByReference(reference)).toMatchObject({ key: lease.key });
        await store.putOff(next, 0);
        const again = await store.lease(lease.key, leaseMs);
        expect(again?.handed).toMatchObject({ reference });
        if (again === undefined) throw new Error('it is held');
        await store.noteHanded(again, 'no');
        expect(await store.findByReference(reference)).toBeUndefined();
      });
    });
  });
}
