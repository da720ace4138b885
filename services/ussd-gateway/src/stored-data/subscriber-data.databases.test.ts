import { describe, expect, it } from 'vitest';
import { onDatabases } from '../../test/support/on-databases.js';
import { AccountStore } from '../accounts/account-store.js';
import { newCustomer } from '../accounts/new-customer.fixture.js';
import { EffectStore } from '../effects/effect-store.js';
import { newEffect, outcome, rules } from '../effects/new-effect.fixture.js';
import { sqlSubscriberRecords } from './subscriber-data.js';

onDatabases((name, database) => {
  describe(`the deletion of one of two accounts of a phone, by ${name}`, () => {
    /** Two accounts of a phone, and a settled payment of each. */
    async function open() {
      const { db } = database();
      const [accounts, effects] = [new AccountStore(db), new EffectStore(db)];
      const one = newCustomer();
      const other = { ...newCustomer(), phone: one.phone };
      const pay = async (account: string) => {
        const { subscriber, place, ...effect } = newEffect();
        const position = { ...place.position, account };
        const ofPhone = { ...subscriber, phoneNumber: one.phone };
        const begun = await effects.begin({ ...effect, subscriber: ofPhone, place: { ...place, position } }, rules);
        if (begun.kind !== 'begun') throw new Error('it was there before');
        await effects.settle(begun.leased.key, outcome, 'answered');
        return begun.leased.key;
      };
      for (const customer of [one, other]) await accounts.createCustomer(customer, 10);
      return { effects, one, other, pay, records: sqlSubscriberRecords(db) };
    }

    it('leaves the outcome that the other account has not seen', async () => {
      const { effects, one, other, pay, records } = await open();
      const [own, unseen, seen] = [await pay(one.id), await pay(other.id), await pay(other.id)];
      await effects.acknowledge(seen, 'session');
      expect(await records.remove(one.id)).toMatchObject({ accounts: 1, effects: 2 });
      expect(await effects.find(own)).toBeUndefined();
      expect(await effects.find(seen)).toBeUndefined();
      expect(await effects.find(unseen)).toMatchObject({ outcome });
      expect(await records.remove(other.id)).toMatchObject({ accounts: 1, effects: 1, phones: 1 });
      expect(await effects.find(unseen)).toBeUndefined();
    });
  });
});
