import { beforeEach, describe, expect, it } from 'vitest';
import type { NewCustomer } from './account.js';
import type { OpenAccounts } from './account-creation.contract.js';
import type { AccountStore } from './account-store.js';
import { newCustomer } from './new-customer.fixture.js';

const limits = { attempts: 3, lockMs: 900_000 };
const lifeMs = 1_800_000;

/** Guarantees of every `AccountStore` for codes in place of PINs. */
export function keepsOneTimeCodes(name: string, open: () => OpenAccounts): void {
  describe(`one-time codes on ${name}`, () => {
    let store: AccountStore;
    let pass: (ms: number) => Promise<void>;
    let customer: NewCustomer;
    let keys = 0;
    beforeEach(async () => {
      ({ store, pass } = open());
      customer = newCustomer();
      await store.createCustomer(customer, 3);
    });
    const attemptOf = () => {
      const { id, phone } = customer;
      return { key: `${id} code ${++keys}`, customerId: id, phone, decoy: `nobody:${id}` };
    };
    const typeRight = async () => {
      const attempt = attemptOf();
      await store.takeAttempt(attempt, limits);
      await store.settleAttempt(attempt, 'right', limits);
      return attempt.key;
    };
    const pinOf = async () => (await store.findCustomer(customer.id))?.sealedPin;

    it('replace the PIN until they expire, and lift the locks', async () => {
      expect(await store.takeAttempt(attemptOf(), limits)).toMatchObject({ kind: 'taken', code: undefined });
      for (let wrong = 0; wrong < 2; wrong++) await store.takeAttempt(attemptOf(), limits);
      expect(await store.takeAttempt(attemptOf(), limits)).toMatchObject({ kind: 'locked' });
      expect(await store.issueCode(customer.id, 'sealed code', lifeMs)).toBe(true);
      const live = await store.takeAttempt(attemptOf(), limits);
      expect(live).toMatchObject({ attemptsLeft: 2, code: 'live', customer: { sealedPin: 'sealed code' } });
      await pass(lifeMs);
      expect(await store.takeAttempt(attemptOf(), limits)).toMatchObject({ code: 'over' });
      expect(await store.issueCode('C00000000', 'sealed code', lifeMs)).toBe(false);
    });

    it('let only the last right attempt choose a PIN, repeatedly', async () => {
      await store.issueCode(customer.id, 'sealed code', lifeMs);
      const first = await typeRight();
      const last = await typeRight();
      for (const grant of [first, 'made up', '']) expect(await store.resetPin(customer.id, grant, 'x')).toBeUndefined();
      for (let again = 0; again < 2; again++)
        expect(await store.resetPin(customer.id, last, 'chosen')).toMatchObject({
          id: customer.id,
          sealedPin: 'chosen',
        });
      expect(await store.takeAttempt(attemptOf(), limits)).toMatchObject({ code: undefined });
    });

    it('choose no PIN after another code, or after a change of the PIN', async () => {
      await store.issueCode(customer.id, 'sealed code', lifeMs);
      const grant = await typeRight();
      await store.issueCode(customer.id, 'another code', lifeMs);
      expect(await store.resetPin(customer.id, grant, 'x')).toBeUndefined();
      const later = await typeRight();
      await store.setPin(customer.id, 'changed', `set for ${customer.id}`);
      expect(await store.resetPin(customer.id, later, 'x')).toBeUndefined();
      expect(await pinOf()).toBe('changed');
    });

    it('give no grant to an attempt that was right by a PIN', async () => {
      const grant = await typeRight();
      expect(await store.resetPin(customer.id, grant, 'x')).toBeUndefined();
      await store.issueCode(customer.id, 'sealed code', lifeMs);
      expect(await store.resetPin(customer.id, grant, 'x')).toBeUndefined();
      expect(await pinOf()).toBe('sealed code');
    });
  });
}
