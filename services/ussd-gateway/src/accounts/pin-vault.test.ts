import { keyringOf } from '@mlango/crypto/keyring';
import { describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { AccountStore } from './account-store.js';
import { checkPin } from './check-pin.js';
import { pinVault } from './pin-vault.js';

const oldKey = { id: 'old', bytes: Buffer.alloc(32, 1) };
const newKey = { id: 'new', bytes: Buffer.alloc(32, 2) };
const before = pinVault(keyringOf([oldKey]));
const rotated = pinVault(keyringOf([newKey, oldKey]));
const replaced = pinVault(keyringOf([newKey]));

describe('a sealed PIN', () => {
  it('matches the PIN and no other', () => {
    const sealed = before.seal('C1', '90210');
    expect(before.matches('C1', sealed, '90210')).toBe(true);
    for (const wrong of ['90211', '9021', '902100', '']) expect(before.matches('C1', sealed, wrong)).toBe(false);
  });

  it('is different each time, for equal PINs of one customer and of two', () => {
    const sealed = Array.from({ length: 20 }, (_, index) => before.seal(`C${index % 2}`, '90210'));
    expect(new Set(sealed).size).toBe(20);
    for (const text of sealed) expect(text).not.toContain('90210');
  });

  it('does not open in the row of another customer', () => {
    const sealed = before.seal('C1', '90210');
    expect(() => before.matches('C2', sealed, '90210')).toThrow('A PIN could not be opened');
  });

  it('that is damaged, or under an unknown key, is a fault and not a wrong PIN', () => {
    const sealed = before.seal('C1', '90210');
    for (const open of [
      () => before.matches('C1', `${sealed.slice(0, -3)}AAA`, '90210'),
      () => before.matches('C1', '', '90210'),
      () => replaced.matches('C1', sealed, '90210'),
    ]) {
      expect(open).toThrow(expect.objectContaining({ code: 'internal' }));
    }
  });

  it('under an old key opens, and is sealed again with the current one', () => {
    const sealed = before.seal('C1', '90210');
    expect(rotated.matches('C1', sealed, '90210')).toBe(true);
    const again = rotated.reseal('C1', sealed) ?? '';
    expect(replaced.matches('C1', again, '90210')).toBe(true);
    expect(rotated.reseal('C1', again)).toBeUndefined();
  });

  it('is sealed again when it is used, by a right PIN only', async () => {
    const store = new AccountStore(await emptyDatabase());
    const sealedPin = before.seal('C1', '90210');
    const customer = { id: 'C1', creationKey: 'k', fullName: 'A B', email: undefined, phone: '+1', sealedPin };
    await store.createCustomer(customer, 1);
    const check = { store, vault: rotated, limits: { attempts: 3, lockMs: 1000 } };
    await checkPin({ key: '1', customerId: 'C1', phone: '+1' }, '11112', check);
    expect((await store.findCustomer('C1'))?.sealedPin).toBe(sealedPin);
    await checkPin({ key: '2', customerId: 'C1', phone: '+1' }, '90210', check);
    expect(replaced.matches('C1', (await store.findCustomer('C1'))?.sealedPin ?? '', '90210')).toBe(true);
  });
});
