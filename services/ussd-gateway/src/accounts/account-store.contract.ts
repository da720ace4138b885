import { beforeEach, describe, expect, it } from 'vitest';
import type { AttemptKey, AttemptLimits, NewCustomer } from './account.js';
import { createsCustomersOnce, type OpenAccounts } from './account-creation.contract.js';
import type { AccountStore } from './account-store.js';
import { newCustomer } from './new-customer.fixture.js';
import { keepsOneTimeCodes } from './one-time-code.contract.js';
import { takesPhoneAttempts } from './phone-attempts.contract.js';

const limits: AttemptLimits = { attempts: 3, lockMs: 900_000 };
/** Guarantees of every `AccountStore`. */
export function accountStoreContract(name: string, open: () => OpenAccounts): void {
  createsCustomersOnce(name, open);
  keepsOneTimeCodes(name, open);
  takesPhoneAttempts(name, open);
  describe(`accounts on ${name}`, () => {
    let store: AccountStore;
    let pass: (ms: number) => Promise<void>;
    let customer: NewCustomer;
    beforeEach(async () => {
      ({ store, pass } = open());
      customer = newCustomer();
      await store.createCustomer(customer, 3);
    });
    let keys = 0;
    const attemptOf = (
      phone = customer.phone,
      customerId = customer.id,
      key = `${customer.id} ${++keys}`,
    ): AttemptKey => ({
      key,
      customerId,
      phone,
      decoy: `nobody:${customerId}`,
    });
    /** Attempts and locks as shown to a caller. */
    const tryOf = async (attempt: AttemptKey) => {
      const taken = await store.takeAttempt(attempt, limits);
      if (taken.kind === 'locked') return taken;
      const { customer: found, code: _none, ...rest } = taken;
      if (attempt.customerId === customer.id) expect(found).toEqual(await store.findCustomer(customer.id));
      return rest;
    };
    const take = (...of: Parameters<typeof attemptOf>) => tryOf(attemptOf(...of));
    const guess = async (right: boolean, phone?: string, customerId?: string) => {
      const attempt = attemptOf(phone, customerId);
      const taken = await tryOf(attempt);
      if (taken.kind === 'taken') await store.settleAttempt(attempt, right ? 'right' : 'wrong', limits);
      return taken;
    };
    const otherPhone = () => `${customer.phone}9`;

    it('replaces a sealed PIN only if it is the one that was read', async () => {
      expect(await store.replacePin(customer.id, 'stale', 'new')).toBe(false);
      expect(await store.replacePin(customer.id, customer.sealedPin, 'new')).toBe(true);
      expect((await store.findCustomer(customer.id))?.sealedPin).toBe('new');
      const key = `set for ${customer.id}`;
      await store.setPin(customer.id, 'chosen', `${key} before`);
      await store.setPin(customer.id, 'chosen', key);
      // The previous PIN is tried again.
      await store.setPin(customer.id, 'older', `${key} before`);
      expect((await store.findCustomer(customer.id))?.sealedPin).toBe('chosen');
    });

    it('lists all sealed PINs in pages, each once', async () => {
      for (let more = 0; more < 4; more++) await store.createCustomer(newCustomer(), 3);
      const seen: string[] = [];
      for (let after = ''; ; ) {
        const part = await store.listPins(after, 2);
        if (part.length === 0) break;
        seen.push(...part.map(({ id }) => id));
        after = part.at(-1)?.id ?? '';
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toContain(customer.id);
    });

    it('takes an attempt before the PIN is compared, and locks with the third', async () => {
      expect(await take()).toEqual({ kind: 'taken', attemptsLeft: 2, lockedMs: 0 });
      expect(await take()).toEqual({ kind: 'taken', attemptsLeft: 1, lockedMs: 0 });
      expect(await take()).toEqual({ kind: 'taken', attemptsLeft: 0, lockedMs: 900_000 });
      const refused = await take();
      expect(refused.kind).toBe('locked');
      expect(refused.kind === 'locked' && refused.lockedMs).toBeGreaterThan(890_000);
    });

    it('lets thirty attempts in parallel take three', async () => {
      const phones = Array.from({ length: 30 }, (_, index) => `${customer.phone}${index}`);
      const taken = await Promise.all(phones.map((phone) => take(phone)));
      expect(taken.filter(({ kind }) => kind === 'taken')).toHaveLength(3);
    });

    it('counts per customer over all strange phones, and per phone over all customers', async () => {
      const other = newCustomer();
      await guess(false, `${customer.phone}6`);
      await guess(false, otherPhone());
      expect(await guess(false, `${customer.phone}8`)).toMatchObject({ attemptsLeft: 0 });
      expect((await take(`${customer.phone}7`)).kind).toBe('locked');
      for (let wrong = 0; wrong < 3; wrong++) await guess(false, customer.phone, other.id);
      expect((await take(customer.phone, 'C00000001')).kind).toBe('locked');
    });

    it('counts separately for the phone of the account: other callers lock out each other, never the owner', async () => {
      for (let lock = 0; lock < 3; lock++) {
        for (let wrong = 0; wrong < 3; wrong++) await guess(false, `${customer.phone}${lock}${wrong}`);
        await pass(900_000 * 2 ** lock);
      }
      for (let wrong = 0; wrong < 3; wrong++) await guess(false, `${customer.phone}3${wrong}`);
      expect((await take(`${customer.phone}4`)).kind).toBe('locked');
      expect(await guess(true)).toEqual({ kind: 'taken', attemptsLeft: 2, lockedMs: 0 });
      // A right PIN of the owner does not reset the counter of other callers.
      expect((await take(`${customer.phone}4`)).kind).toBe('locked');
      for (let wrong = 0; wrong < 3; wrong++) await guess(false);
      expect((await take()).kind).toBe('locked');
      await store.unlock(customer.id);
      expect([(await take()).kind, (await take(`${customer.phone}5`)).kind]).toEqual(['taken', 'taken']);
    });

    it('takes one attempt per key, for any number of repeats from any phone', async () => {
      const tries = await Promise.all(
        Array.from({ length: 10 }, () => take(customer.phone, customer.id, `${customer.id} same`)),
      );
      expect(tries).toEqual(tries.map(() => ({ kind: 'taken', attemptsLeft: 2, lockedMs: 0 })));
      const same = attemptOf(customer.phone, customer.id, `${customer.id} same`);
      await store.settleAttempt(same, 'wrong', limits);
      await store.settleAttempt(same, 'right', limits);
      await store.settleAttempt(same, 'void', limits);
      const again = await take(customer.phone, customer.id, `${customer.id} same`);
      expect(again).toEqual({ kind: 'settled', right: false, attemptsLeft: 2, lockedMs: 0 });
      expect(await take()).toMatchObject({ attemptsLeft: 1 });
    });

    it('returns an attempt that could not be compared, with its lock', async () => {
      await guess(false);
      for (let more = 0; more < 5; more++) {
        const attempt = attemptOf();
        expect(await tryOf(attempt)).toEqual({ kind: 'taken', attemptsLeft: 1, lockedMs: 0 });
        await store.settleAttempt(attempt, 'void', limits);
      }
      await guess(false);
      const last = attemptOf();
      expect(await tryOf(last)).toMatchObject({ lockedMs: 900_000 });
      await store.settleAttempt(last, 'void', limits);
      expect(await tryOf(last)).toEqual({ kind: 'taken', attemptsLeft: 0, lockedMs: 900_000 });
    });

    it('counts attempts at an unknown id at its decoy, from several phones as for a known id', async () => {
      const decoy = `nobody:${customer.id}`;
      const invented = (id: string, phone: string) => ({ ...attemptOf(`${customer.phone}${phone}`, id), decoy });
      expect(await store.takeAttempt(invented('C00000001', '1'), limits)).toEqual({
        kind: 'taken',
        attemptsLeft: 2,
        lockedMs: 0,
        customer: undefined,
        code: undefined,
      });
      expect(await tryOf(invented('C00000002', '2'))).toMatchObject({ attemptsLeft: 1 });
      expect(await tryOf(invented('C00000001', '3'))).toMatchObject({ attemptsLeft: 0, lockedMs: 900_000 });
      expect((await tryOf(invented('C00000001', '4'))).kind).toBe('locked');
      expect(await guess(true)).toMatchObject({ attemptsLeft: 2 });
    });

    it('settles hundreds of concurrent attempts of many phones at a few accounts, without a deadlock', async () => {
      const ids = [customer.id, 'C00000001', 'C00000002'];
      const all = Array.from({ length: 120 }, (_, index) =>
        guess(true, `${customer.phone}${index % 7}`, ids[index % 3]),
      );
      const unlocks = Array.from({ length: 10 }, () => store.unlock(customer.id));
      await Promise.all([...all, ...unlocks]);
    });

    it('clears wrong attempts after a right PIN, also if it was the third attempt', async () => {
      await guess(false);
      await guess(false);
      await guess(true);
      expect(await guess(false)).toEqual({ kind: 'taken', attemptsLeft: 2, lockedMs: 0 });
    });

    it('keeps wrong attempts of a phone for other customers after its own right PIN', async () => {
      await guess(false, otherPhone(), 'C00000002');
      await guess(false, otherPhone(), 'C00000003');
      await guess(true, otherPhone());
      expect(await guess(false, otherPhone())).toMatchObject({ attemptsLeft: 0 });
      await pass(24 * 3_600_000);
      expect(await guess(false, otherPhone(), 'C00000004')).toMatchObject({ attemptsLeft: 2 });
    });

    it('unlocks after the lock time, and doubles the next lock', async () => {
      let others = 0;
      const otherPhone = () => `${customer.phone}${++others}`;
      for (const lockMs of [900_000, 1_800_000, 3_600_000]) {
        await guess(false, otherPhone());
        await guess(false, otherPhone());
        expect(await guess(false, otherPhone())).toEqual({ kind: 'taken', attemptsLeft: 0, lockedMs: lockMs });
        await pass(lockMs - 60_000);
        expect((await take(otherPhone())).kind).toBe('locked');
        await pass(60_000);
      }
      await guess(true, otherPhone());
      await guess(false, otherPhone());
      await guess(false, otherPhone());
      expect(await guess(false, otherPhone())).toMatchObject({ lockedMs: 900_000 });
    });

    it('lifts locks on request, also of the phone, and refuses an unknown customer', async () => {
      for (let wrong = 0; wrong < 3; wrong++) await guess(false);
      expect(await store.unlock(customer.id)).toBe(true);
      expect(await guess(false)).toEqual({ kind: 'taken', attemptsLeft: 2, lockedMs: 0 });
      expect(await store.unlock('C00000000')).toBe(false);
    });

    it('purges attempts and counters that no guarantee needs, also concurrently, and no others', async () => {
      const purge = async () => {
        const parts = await Promise.all([1, 2, 3].map(() => store.purgeAttempts(1000)));
        return parts.reduce((sum, part) => sum + part, 0);
      };
      await pass(40 * 24 * 3_600_000);
      await purge();
      expect(await purge()).toBe(0);
      const otherPhone = () => `${customer.phone}${++keys}`;
      for (let wrong = 0; wrong < 3; wrong++) await guess(false, otherPhone());
      await pass(900_000);
      for (let wrong = 0; wrong < 2; wrong++) await guess(false, otherPhone());
      await purge();
      await pass(29 * 24 * 3_600_000);
      expect(await purge()).toBeGreaterThan(0);
      // The second consecutive lock, although the first was a month ago.
      expect(await guess(false, otherPhone())).toMatchObject({ attemptsLeft: 0, lockedMs: 1_800_000 });
      await pass(31 * 24 * 3_600_000);
      await purge();
      expect(await purge()).toBe(0);
      expect(await guess(false, otherPhone())).toMatchObject({ attemptsLeft: 2 });
    });
  });
}
