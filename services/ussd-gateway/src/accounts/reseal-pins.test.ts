import { keyringOf } from '@mlango/crypto/keyring';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { AccountStore } from './account-store.js';
import { pinVault, resealPins } from './pin-vault.js';

const [oldKey, newKey, lostKey] = ['old', 'new', 'lost'].map((id, index) => ({
  id,
  bytes: Buffer.alloc(32, index + 1),
})) as [Key, Key, Key];
interface Key {
  id: string;
  bytes: Buffer;
}

it('reseals every PIN under the current key, and keeps unreadable PINs unchanged', async () => {
  const store = new AccountStore(await emptyDatabase());
  const before = pinVault(keyringOf([oldKey]));
  const add = (id: string, sealedPin: string) =>
    store.createCustomer({ id, creationKey: id, fullName: 'A B', email: undefined, phone: '+1', sealedPin }, 1000);
  const ids = Array.from({ length: 250 }, (_, index) => `C${10_000_000 + index}`);
  for (const id of ids) await add(id, before.seal(id, '90210'));
  const lost = pinVault(keyringOf([lostKey])).seal('C20000000', '90210');
  await add('C20000000', lost);
  const rotated = pinVault(keyringOf([newKey, oldKey]));
  expect(await resealPins(store, rotated)).toEqual({ pins: 251, resealed: 250, unopened: ['C20000000'] });
  const current = pinVault(keyringOf([newKey]));
  for (const { id, sealedPin } of await store.listPins('', 250)) {
    expect(current.matches(id, sealedPin, '90210')).toBe(true);
  }
  expect((await store.findCustomer('C20000000'))?.sealedPin).toBe(lost);
  expect(await resealPins(store, rotated)).toMatchObject({ resealed: 0 });
});
