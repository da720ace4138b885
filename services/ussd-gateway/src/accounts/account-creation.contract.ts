import { beforeEach, describe, expect, it } from 'vitest';
import type { NewCustomer } from './account.js';
import type { AccountStore } from './account-store.js';
import { newCustomer } from './new-customer.fixture.js';

export interface OpenAccounts {
  readonly store: AccountStore;
  /** Lets time pass for locks and attempts. */
  readonly pass: (ms: number) => Promise<void>;
}

/** Guarantees of every `AccountStore` for new accounts. */
export function createsCustomersOnce(name: string, open: () => OpenAccounts): void {
  describe(`new accounts on ${name}`, () => {
    let store: AccountStore;
    let pass: (ms: number) => Promise<void>;
    let customer: NewCustomer;
    beforeEach(async () => {
      ({ store, pass } = open());
      customer = newCustomer();
      await store.createCustomer(customer, 3);
    });

    it('returns the created customer, with or without an email', async () => {
      const { creationKey: _key, ...fields } = customer;
      expect(await store.findCustomer(customer.id)).toEqual(fields);
      const silent = { ...newCustomer(), email: undefined };
      await store.createCustomer(silent, 3);
      expect((await store.findCustomer(silent.id))?.email).toBeUndefined();
      expect(await store.findCustomer('C00000000')).toBeUndefined();
    });

    it('creates one customer per key, also in twenty parallel calls', async () => {
      const created = newCustomer();
      const all = Array.from({ length: 20 }, (_, index) => ({
        ...created,
        id: `C${100 + index}${created.id.slice(4)}`,
      }));
      const outcomes = await Promise.all(all.map((each) => store.createCustomer(each, 3)));
      const ids = new Set(outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.customerId : 'taken')));
      expect(ids.size).toBe(1);
      expect(await store.findCustomer([...ids][0] ?? '')).toMatchObject({ fullName: created.fullName });
    });

    it('refuses the id of another customer, and changes nothing', async () => {
      expect(await store.createCustomer({ ...newCustomer(), id: customer.id, fullName: 'Other' }, 3)).toEqual({
        kind: 'taken',
      });
      expect((await store.findCustomer(customer.id))?.fullName).toBe(customer.fullName);
    });

    it('limits the accounts of a phone per day, also in twenty parallel calls', async () => {
      const { phone } = newCustomer();
      const all = Array.from({ length: 20 }, () => ({ ...newCustomer(), phone }));
      const outcomes = await Promise.all(all.map((each) => store.createCustomer(each, 3)));
      expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(3);
      expect(outcomes.filter(({ kind }) => kind === 'limited')).toHaveLength(17);
      const first = outcomes.findIndex(({ kind }) => kind === 'created');
      expect(await store.createCustomer(all[first] ?? newCustomer(), 3)).toEqual(outcomes[first]);
      await pass(24 * 3_600_000);
      expect((await store.createCustomer({ ...newCustomer(), phone }, 3)).kind).toBe('created');
    });
  });
}
