import { beforeEach, describe, expect, it } from 'vitest';
import type { NewCustomer } from './account.js';
import type { OpenAccounts } from './account-creation.contract.js';
import type { AccountStore } from './account-store.js';
import { newCustomer } from './new-customer.fixture.js';

const limits = { attempts: 3, lockMs: 900_000 };

/** Guarantees of every `AccountStore` for attempts at all accounts of a phone. */
export function takesPhoneAttempts(name: string, open: () => OpenAccounts): void {
  describe(`attempts of a phone on ${name}`, () => {
    let store: AccountStore;
    let pass: (ms: number) => Promise<void>;
    let one: NewCustomer;
    let two: NewCustomer;
    let keys = 0;
    beforeEach(async () => {
      ({ store, pass } = open());
      one = newCustomer();
      two = { ...newCustomer(), phone: one.phone };
      for (const each of [one, two]) await store.createCustomer(each, 3);
    });
    const attemptOf = () => ({ key: `${one.id} phone ${++keys}`, phone: one.phone });
    const look = async (rightIds: readonly string[]) => {
      const attempt = attemptOf();
      const taken = await store.takePhoneAttempt(attempt, limits);
      if (taken.kind === 'taken') await store.settlePhoneAttempt(attempt.key, rightIds, limits);
      return taken.kind === 'locked' ? taken : { ...taken, accounts: taken.accounts.map(({ id }) => id).toSorted() };
    };
    /** An attempt at one account, from its own phone. */
    const logIn = (customer: NewCustomer) => {
      const { id, phone } = customer;
      return store.takeAttempt({ key: `${id} ${++keys}`, customerId: id, phone, decoy: 'nobody:1' }, limits);
    };

    it('are taken before the PINs are compared, three of thirty concurrent ones, and lock the phone with the third', async () => {
      const all = await Promise.all(Array.from({ length: 30 }, () => look([])));
      const taken = all.filter(({ kind }) => kind === 'taken');
      expect(taken).toHaveLength(3);
      for (const each of taken) expect(each).toMatchObject({ accounts: [one.id, two.id].toSorted() });
      expect((await logIn(one)).kind).toBe('locked');
      await pass(900_000);
      expect(await look([])).toMatchObject({ kind: 'taken', attemptsLeft: 2 });
    });

    it('cost nothing at accounts with this PIN, and one attempt at each other account, which locks separately', async () => {
      for (let time = 0; time < 3; time++)
        expect(await look([one.id])).toMatchObject({
          kind: 'taken',
          attemptsLeft: 2,
          accounts: [one.id, two.id].toSorted(),
        });
      expect(await look([one.id])).toMatchObject({ kind: 'taken', attemptsLeft: 2, accounts: [one.id] });
      expect((await logIn(two)).kind).toBe('locked');
      expect(await logIn(one)).toMatchObject({ kind: 'taken', attemptsLeft: 2 });
    });

    it('check accounts from the newest to the oldest', async () => {
      const phone = `${one.phone}88`;
      const made = Array.from({ length: 4 }, () => ({ ...newCustomer(), phone }));
      const customers = [0, 3, 1, 2].map((place) => made.toSorted((a, b) => (a.id < b.id ? -1 : 1))[place] ?? one);
      for (const each of customers) {
        await store.createCustomer(each, 9);
        await pass(10);
      }
      const taken = await store.takePhoneAttempt({ key: `${phone} ${++keys}`, phone }, limits);
      expect(taken).toMatchObject({ accounts: customers.toReversed().map(({ id, sealedPin }) => ({ id, sealedPin })) });
    });

    it('are one per key, settled once', async () => {
      const attempt = attemptOf();
      await Promise.all(Array.from({ length: 5 }, () => store.takePhoneAttempt(attempt, limits)));
      await store.settlePhoneAttempt(attempt.key, [], limits);
      await store.settlePhoneAttempt(attempt.key, [one.id], limits);
      expect(await store.takePhoneAttempt(attempt, limits)).toMatchObject({
        kind: 'settled',
        right: false,
        attemptsLeft: 2,
      });
      expect(await look([])).toMatchObject({ attemptsLeft: 1 });
    });

    it('count for a phone without accounts as for any other, and skip a code in place of a PIN', async () => {
      const phone = `${one.phone}77`;
      const empty = await store.takePhoneAttempt({ key: `${phone} ${++keys}`, phone }, limits);
      expect(empty).toEqual({ kind: 'taken', attemptsLeft: 2, lockedMs: 0, accounts: [] });
      await store.issueCode(two.id, 'sealed code', 60_000);
      expect(await look([one.id])).toMatchObject({ accounts: [one.id] });
    });

    it('wait for attempts at single accounts and for each other, without a deadlock', async () => {
      const unlocks = Array.from({ length: 10 }, () => store.unlock(one.id));
      const looks = Array.from({ length: 40 }, (_, index) => look(index % 2 === 0 ? [one.id, two.id] : [two.id]));
      await Promise.all([...unlocks, ...looks, ...Array.from({ length: 40 }, () => logIn(one))]);
    });
  });
}
