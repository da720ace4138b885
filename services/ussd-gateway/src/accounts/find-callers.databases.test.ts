import { beforeEach, describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { ageEffects } from '../effects/age-effects.fixture.js';
import type { Subscriber } from '../effects/effect.js';
import { EffectStore } from '../effects/effect-store.js';
import type { FindCaller } from '../sessions/find-caller.js';
import { AccountStore } from './account-store.js';
import { sqlCallers } from './find-callers.js';

interface OpenCallers {
  readonly find: FindCaller;
  readonly accounts: Pick<AccountStore, 'setLanguage'>;
  readonly effectStore: EffectStore;
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>;
}

/** How long an unacknowledged effect is found. */
const withinMs = 300_000;

const leaseMs = 10_000;
const outcome = { result: 'created', facts: { customerId: 'C00000001' } };
const place = {
  flow: { id: 'default', version: 2 },
  nonce: 'n',
  position: { state: 'confirmPin', language: 'en', choices: {}, page: 0 },
  by: 'entry',
};
let serial = 0;

onDatabases((name, database) => {
  const open = (): OpenCallers => {
    const { db } = database();
    return {
      find: sqlCallers(db, withinMs),
      accounts: new AccountStore(db),
      effectStore: new EffectStore(db),
      pass: ageEffects(database()),
    };
  };
  describe(`callers, by ${name}`, () => {
    let parts: OpenCallers;
    let subscriber: Subscriber;
    const anySubscriber = (): Subscriber => ({
      aggregator: 'canonical',
      phoneNumber: `+26097${String(++serial).padStart(7, '0')}`,
      serviceCode: '*384#',
    });
    const ask = (change: Partial<Subscriber> = {}) => parts.find({ ...subscriber, ...change });
    /** Begins one of them and returns its key. */
    const begin = async (effect: string) => {
      const key = `dialled ${++serial}`;
      const effectToBegin = { key, subscriber, effect, place, sealedInput: 's', inputDigest: 'd' };
      const begun = await parts.effectStore.begin(effectToBegin, {
        leaseMs,
        unshownMs: 1000,
        session: undefined,
      });
      if (begun.kind !== 'begun') throw new Error('it was there before');
      return begun.leased;
    };
    beforeEach(() => {
      parts = open();
      subscriber = anySubscriber();
    });

    it('has no language and no effect by default', async () => {
      expect(await ask()).toEqual({ language: undefined, unacknowledged: undefined });
    });

    it('has the language they chose last, with or without an account', async () => {
      for (const language of ['sw', 'fr']) await parts.accounts.setLanguage(subscriber.phoneNumber, language);
      expect(await ask()).toEqual({ language: 'fr', unacknowledged: undefined });
      expect(await ask(anySubscriber())).toMatchObject({ language: undefined });
    });

    it('has the latest unacknowledged effect, running or ended, of this aggregator and code', async () => {
      await parts.accounts.setLanguage(subscriber.phoneNumber, 'sw');
      const first = await begin('first');
      await parts.pass(1);
      const second = await begin('second');
      expect(await ask()).toMatchObject({ unacknowledged: { key: second.key, outcome: undefined } });
      await parts.effectStore.settle(second.key, outcome, 'answered');
      expect(await ask()).toEqual({
        language: 'sw',
        unacknowledged: { key: second.key, place, state: 'settled', outcome },
      });
      for (const other of [{ aggregator: 'nalo' }, { serviceCode: '*1#' }]) {
        expect(await ask(other)).toEqual({ language: 'sw', unacknowledged: undefined });
      }
      await parts.effectStore.acknowledge(second.key, 's');
      expect(await ask()).toMatchObject({ unacknowledged: { key: first.key, outcome: undefined } });
    });

    it('has an effect for a limited time: from its end, or from its begin while it is pending', async () => {
      const ended = await begin('ended');
      await parts.pass(withinMs - 1000);
      await parts.effectStore.settle(ended.key, outcome, 'answered');
      await parts.pass(withinMs - 1000);
      expect(await ask()).toMatchObject({ unacknowledged: { key: ended.key, outcome } });
      const open = await begin('open');
      await parts.pass(1001);
      await parts.effectStore.settle(open.key, outcome, 'answered');
      await parts.effectStore.acknowledge(open.key, 's');
      expect((await ask()).unacknowledged).toBeUndefined();
    });

    it('has no abandoned effect', async () => {
      await parts.effectStore.endRun(await begin('given up'), { event: 'gaveUp', pauseMs: 0 });
      expect((await ask()).unacknowledged).toBeUndefined();
    });

    it('is found for each of many parallel dials', async () => {
      const subscribers = Array.from({ length: 40 }, anySubscriber);
      for (const [index, { phoneNumber }] of subscribers.entries()) {
        if (index % 2 === 0) await parts.accounts.setLanguage(phoneNumber, 'fr');
      }
      const languages = await Promise.all(subscribers.map(async (one) => (await parts.find(one)).language));
      expect(languages).toEqual(subscribers.map((_, index) => (index % 2 === 0 ? 'fr' : undefined)));
    });
  });
});
