import { beforeEach, describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { ageEffects } from './age-effects.fixture.js';
import type { Lease, NewEffect } from './effect.js';
import { EffectStore } from './effect-store.js';
import { leaseMs, newEffect, outcome, rules } from './new-effect.fixture.js';

const retentionMs = 30_000;

onDatabases((name, database) => {
  describe(`effects on ${name}`, () => {
    let store: EffectStore;
    let pass: (ms: number) => Promise<void>;
    let payment: NewEffect;
    beforeEach(() => {
      store = new EffectStore(database().db);
      pass = ageEffects(database());
      payment = newEffect();
    });
    const begin = async (begun = payment): Promise<Lease> => {
      const answer = await store.begin(begun, rules);
      if (answer.kind !== 'begun') throw new Error('it was there before');
      return answer.leased;
    };

    it('leases a new effect with all data needed to run it', async () => {
      const { key, effect, place, sealedInput, subscriber } = payment;
      const { phoneNumber, aggregator } = subscriber;
      const given = { key, effect, place, sealedInput, aggregator, phoneNumber };
      const leased = { ...given, tries: 1, ageMs: 0, send: undefined };
      expect(await store.begin(payment, rules)).toEqual({ kind: 'begun', leased });
      expect(await store.find(key)).toEqual({ key, place: payment.place, state: 'running', outcome: undefined });
      expect(await store.lease(key, leaseMs)).toBeUndefined();
      expect(await store.find('nobody')).toBeUndefined();
    });

    it('begins one effect once for concurrent requests', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => store.begin(payment, rules)));
      expect(all.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
      const known = all.filter((begun) => begun.kind === 'known');
      expect(new Set(known.map((begun) => begun.effect.key))).toEqual(new Set([payment.key]));
    });

    it('has one open effect per subscriber and name, and begins another after it ended', async () => {
      await begin();
      const second = { ...newEffect(), subscriber: payment.subscriber, effect: payment.effect };
      expect(await store.begin(second, rules)).toMatchObject({ kind: 'known', effect: { key: payment.key } });
      for (const other of [
        { ...second, effect: 'other' },
        { ...second, key: `${second.key}-b`, subscriber: { ...payment.subscriber, serviceCode: '*1#' } },
        { ...second, key: `${second.key}-c`, subscriber: { ...payment.subscriber, aggregator: 'nalo' } },
      ]) {
        expect(await store.begin(other, rules)).toMatchObject({ kind: 'begun' });
      }
      await store.settle(payment.key, outcome, 'answered');
      await store.acknowledge(payment.key, 's');
      expect(await store.begin({ ...second, key: `${second.key}-d` }, rules)).toMatchObject({ kind: 'begun' });
      expect(await store.begin(payment, rules)).toMatchObject({ kind: 'known', effect: { outcome } });
    });

    it('blocks a new effect of another session while an outcome was not shown, for a limited time', async () => {
      await begin();
      await store.settle(payment.key, outcome, 'answered');
      const place = { ...payment.place, nonce: 'other' };
      const next = { ...newEffect(), subscriber: payment.subscriber, effect: payment.effect, place };
      expect(await store.begin(next, rules)).toMatchObject({ kind: 'known', effect: { key: payment.key, outcome } });
      const same = { ...next, key: `${next.key}-same`, place: payment.place };
      expect(
        await store.begin(same, { ...rules, session: { sessionId: 's', shownEffects: [payment.key], retentionMs } }),
      ).toMatchObject({ kind: 'begun' });
      await store.settle(same.key, outcome, 'answered');
      await store.acknowledge(same.key, 's');
      await pass(rules.unshownMs + 1);
      expect(await store.begin(next, rules)).toMatchObject({ kind: 'begun', leased: { key: next.key } });
    });

    it('blocks a new effect of a session that showed the outcome, and has no record of it', async () => {
      const { subscriber, effect } = payment;
      const next = (inputDigest = payment.inputDigest) => newEffect({ subscriber, effect, inputDigest });
      const inSession = (sessionId: string, ...shownEffects: string[]) => ({
        ...rules,
        session: { sessionId, shownEffects, retentionMs },
      });
      const end = async (key: string) => {
        await store.settle(key, outcome, 'answered');
        await store.acknowledge(key, 's-1');
      };
      await begin();
      await end(payment.key);
      const blocked = { kind: 'known', effect: { key: payment.key, outcome } };
      expect(await store.begin(next(), inSession('s-1'))).toMatchObject(blocked);
      expect(await store.begin(next(), inSession('s-1', 'another'))).toMatchObject(blocked);
      for (const { begun, session } of [
        { begun: next(), session: inSession('s-2') },
        { begun: next('of another input'), session: inSession('s-1') },
        { begun: next(), session: inSession('s-1', payment.key) },
      ]) {
        expect(await store.begin(begun, session)).toMatchObject({ kind: 'begun' });
        await store.settle(begun.key, outcome, 'answered');
        await store.acknowledge(begun.key, 's-3');
      }
      await pass(retentionMs + 1);
      expect(await store.begin(next(), inSession('s-1'))).toMatchObject({ kind: 'begun' });
    });

    it('keeps the first outcome, and deletes the input', async () => {
      const lease = await begin();
      expect(await store.settle(payment.key, outcome, 'answered')).toEqual(outcome);
      expect(await store.settle(payment.key, { result: 'refused' }, 'answered')).toEqual(outcome);
      expect(await store.find(payment.key)).toEqual({
        key: payment.key,
        place: payment.place,
        state: 'settled',
        outcome,
      });
      await pass(leaseMs + 1);
      expect(await store.lease(payment.key, leaseMs)).toBeUndefined();
      expect(await store.renew(lease, leaseMs)).toBe(false);
    });

    it('replaces unanswered by the first definite outcome, and by no other', async () => {
      await begin();
      await store.settle(payment.key, { result: 'unanswered', facts: {} }, 'answered');
      await store.acknowledge(payment.key, 's');
      expect(await store.settle(payment.key, outcome, 'answered')).toEqual(outcome);
      expect(await store.settle(payment.key, { result: 'refused' }, 'answered')).toEqual(outcome);
      expect(await store.settle(payment.key, { result: 'unanswered' }, 'answered')).toEqual(outcome);
      const { effect, subscriber, place } = payment;
      const next = newEffect({ effect, subscriber, place: { ...place, nonce: 'another session' } });
      expect(await store.begin(next, rules)).toMatchObject({ kind: 'known', effect: { key: payment.key, outcome } });
    });

    it('lists contradicted outcomes of a service for review, latest first', async () => {
      const subscriber = { ...payment.subscriber, aggregator: `canonical/s${payment.key}` };
      const keys: string[] = [];
      while (keys.length < 2) {
        const { key } = await begin(newEffect({ subscriber }));
        for (const each of [outcome, { result: 'refused' }]) await store.settle(key, each, 'answered');
        await pass(1000);
        keys.unshift(key);
      }
      await store.settle((await begin(newEffect({ subscriber }))).key, outcome, 'answered');
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
      expect(await store.lease(payment.key, leaseMs)).toBeUndefined();
      await pass(leaseMs);
      const all = await Promise.all(Array.from({ length: 10 }, () => store.lease(payment.key, leaseMs)));
      expect(all.filter((leased) => leased !== undefined)).toEqual([
        expect.objectContaining({ key: payment.key, tries: 2, sealedInput: payment.sealedInput }),
      ]);
      // The previous holder changes nothing any more.
      expect(await store.renew(first, 10 * leaseMs)).toBe(false);
      await store.endRun(first, { event: 'postponed', pauseMs: 0 });
      await store.endRun(first, { event: 'gaveUp', pauseMs: 0 });
      expect(await store.lease(payment.key, leaseMs)).toBeUndefined();
      await pass(leaseMs + 1);
      expect(await store.lease(payment.key, leaseMs)).toMatchObject({ tries: 3 });
    });

    it('returns due effects with the given names without a lease, longest due first', async () => {
      const later = newEffect({ effect: payment.effect });
      const foreign = newEffect();
      for (const one of [payment, later, foreign]) await begin(one);
      expect(await store.leaseDue([payment.effect], 10, leaseMs)).toEqual([]);
      await store.endRun({ key: payment.key, tries: 1 }, { event: 'postponed', pauseMs: 5000 });
      await store.endRun({ key: later.key, tries: 1 }, { event: 'postponed', pauseMs: 3000 });
      await store.endRun({ key: foreign.key, tries: 1 }, { event: 'postponed', pauseMs: 0 });
      expect(await store.leaseDue([payment.effect], 10, leaseMs)).toEqual([]);
      await pass(5001);
      expect((await store.leaseDue([payment.effect], 1, leaseMs)).map(({ key }) => key)).toEqual([later.key]);
      expect((await store.leaseDue([payment.effect], 10, leaseMs)).map(({ key }) => key)).toEqual([payment.key]);
      expect(await store.leaseDue([], 10, leaseMs)).toEqual([]);
    });

    it('can be polled before it is due, if it was postponed', async () => {
      await store.endRun(await begin(), { event: 'postponed', pauseMs: 60_000 });
      expect(await store.lease(payment.key, leaseMs)).toMatchObject({ tries: 2 });
    });

    it('allows a new effect after one was abandoned', async () => {
      await store.endRun(await begin(), { event: 'gaveUp', pauseMs: 0 });
      await pass(leaseMs + 1);
      expect(await store.lease(payment.key, leaseMs)).toBeUndefined();
      expect(
        await store.begin({ ...newEffect(), subscriber: payment.subscriber, effect: payment.effect }, rules),
      ).toMatchObject({
        kind: 'begun',
      });
    });

    it('deletes old ended effects, and no open one', async () => {
      await store.purge(0, 1000);
      const open = newEffect();
      await begin();
      await begin(open);
      await store.settle(payment.key, outcome, 'answered');
      await pass(10_000);
      expect(await store.purge(11_000, 100)).toBe(0);
      await pass(1001);
      expect(await store.purge(11_000, 100)).toBe(1);
      expect(await store.find(payment.key)).toBeUndefined();
      expect(await store.find(open.key)).toBeDefined();
    });
  });
});
