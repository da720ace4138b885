import { beforeEach, describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { ageEffects } from './age-effects.fixture.js';
import { type Lease, messageEffect, messageSuffix, type NewEffect } from './effect.js';
import { EffectStore } from './effect-store.js';
import { leaseMs, newEffect, outcome, rules } from './new-effect.fixture.js';

onDatabases((name, database) => {
  describe(`messages started by outcomes on ${name}`, () => {
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

    const messages = {
      paid: { operation: 'receipt', text: '{appName}: {amount} {reference}', facts: { appName: 'Soko' } },
    };
    const paying = () => newEffect({ place: { ...payment.place, messages } });
    const due = async (key: string) =>
      (await store.leaseDue([messageEffect], 1000, leaseMs)).filter(
        (leased) => leased.key === `${key}${messageSuffix}`,
      );

    it('has one message due once its outcome is stored, for any number of repeats, and none for another outcome', async () => {
      const [paid, refused] = [paying(), paying()];
      for (const one of [paid, refused]) await begin(one);
      await Promise.all(Array.from({ length: 5 }, () => store.settle(paid.key, outcome, 'answered')));
      await store.settle(refused.key, { result: 'refused' }, 'answered');
      expect(await due(refused.key)).toEqual([]);
      await pass(leaseMs + 1);
      const leased = await due(paid.key);
      expect(leased).toMatchObject([{ effect: messageEffect, sealedInput: undefined, send: undefined }]);
      expect(leased[0]?.place).toEqual({
        ...payment.place,
        message: { ...messages.paid, facts: { appName: 'Soko', ...outcome.facts } },
      });
      await store.settle(`${paid.key}${messageSuffix}`, { result: 'sent' }, 'answered');
      await store.settle(paid.key, outcome, 'answered');
      await pass(leaseMs + 1);
      expect(await due(paid.key)).toEqual([]);
    });

    it('has many messages of one subscriber, which block no effect and are not shown to the caller', async () => {
      const first = paying();
      const second = { ...paying(), subscriber: first.subscriber };
      const [before, earlierMessages] = await store.countOpen();
      for (const one of [first, second]) {
        await begin(one);
        await store.settle(one.key, outcome, 'answered');
      }
      expect([
        await store.find(`${first.key}${messageSuffix}`),
        await store.find(`${second.key}${messageSuffix}`),
      ]).toMatchObject([{ outcome: undefined }, { outcome: undefined }]);
      const [acts, messages] = await store.countOpen();
      expect(acts?.count).toBe(before?.count);
      expect(messages?.count).toBe((earlierMessages?.count ?? 0) + 2);
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
        await store.settle(one.key, outcome, 'answered');
        const leased = await store.lease(`${one.key}${messageSuffix}`, leaseMs);
        if (leased !== undefined) counts.push(await store.messagesBefore(leased, 15_000));
        await pass(10_000);
      }
      expect(counts).toEqual([0, 1, 1]);
    });

    it('stores the provider of a message and its reference', async () => {
      const parent = paying();
      await begin(parent);
      await store.settle(parent.key, outcome, 'answered');
      const lease = await store.lease(`${parent.key}${messageSuffix}`, leaseMs);
      if (lease === undefined) throw new Error('there is no message');
      expect(await store.recordSend(lease, 'maybe')).toBe(true);
      await pass(leaseMs + 1);
      const next = await store.lease(lease.key, leaseMs);
      expect(next?.send).toEqual({ agoMs: expect.closeTo(leaseMs + 1, -3), reference: undefined });
      // The previous holder stores nothing any more.
      expect(await store.recordSend(lease, 'no')).toBe(false);
      if (next === undefined) throw new Error('it is held');
      const reference = `ATXid_${parent.key}`;
      expect(await store.recordSend(next, { reference })).toBe(true);
      expect(await store.findByReference(reference)).toMatchObject({ key: lease.key });
      await store.endRun(next, { event: 'postponed', pauseMs: 0 });
      const relet = await store.lease(lease.key, leaseMs);
      expect(relet?.send).toMatchObject({ reference });
      if (relet === undefined) throw new Error('it is held');
      await store.recordSend(relet, 'no');
      expect(await store.findByReference(reference)).toBeUndefined();
    });
  });
});
