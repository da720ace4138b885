import { keyringOf } from '@mlango/crypto/keyring';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { AccountStore } from './account-store.js';
import { attemptLimits, checkPin, findCustomerIds } from './check-pin.js';
import { newCustomer } from './new-customer.fixture.js';
import { pinVault } from './pin-vault.js';

const vaultOf = (id: string, byte: number) => pinVault(keyringOf([{ id, bytes: Buffer.alloc(32, byte) }]));

it('a PIN that does not open costs neither the phone nor its accounts an attempt', async () => {
  const vault = vaultOf('current', 1);
  const store = new AccountStore(await emptyDatabase());
  const one = newCustomer();
  const other = { ...newCustomer(), phone: one.phone };
  await store.createCustomer({ ...one, sealedPin: vault.seal(one.id, '90210') }, 3);
  await store.createCustomer({ ...other, sealedPin: vaultOf('lost', 2).seal(other.id, '90210') }, 3);
  const check = { store, vault, limits: attemptLimits(900) };
  for (let time = 0; time < 4; time++) {
    const found = findCustomerIds({ key: `ids ${time}`, phone: one.phone }, '90210', check);
    await expect(found).rejects.toMatchObject({ code: 'internal' });
  }
  const logIn = { key: 'log in', customerId: one.id, phone: one.phone };
  expect(await checkPin(logIn, '11111', check)).toEqual({ kind: 'wrong', attemptsLeft: 2 });
});
