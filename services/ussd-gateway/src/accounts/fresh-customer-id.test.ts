import { randomBytes } from 'node:crypto';
import { keyringOf } from '@mlango/crypto/keyring';
import { describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { runAccountEffects } from '../connectors/account/run-account-operations.js';
import { AccountStore } from './account-store.js';
import { pinVault } from './pin-vault.js';
import { freshCustomerId } from './random-codes.js';

describe('a Customer ID', () => {
  it('is C and eight uniformly distributed characters of 32: 40 random bits', () => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const counts = new Map<string, number>();
    for (const byte of every) {
      const id = freshCustomerId((count) => new Uint8Array(count).fill(byte));
      expect(id).toMatch(/^C([0-9A-HJKMNP-TV-Z])\1{7}$/);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 32 }, () => 8));
    expect(freshCustomerId(randomBytes)).not.toBe(freshCustomerId(randomBytes));
  });

  it('that is taken is drawn again', async () => {
    const draws = [7, 7, 7, 9];
    const effects = runAccountEffects({
      store: new AccountStore(await emptyDatabase()),
      vault: pinVault(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }])),
      limits: { attempts: 3, lockMs: 1000 },
      accountsPerDay: 3,
      randomBytes: (count) => new Uint8Array(count).fill(draws.shift() ?? 0),
    });
    const create = (key: string) =>
      effects.createAccount({
        effect: 'createAccount',
        key,
        phoneNumber: '+260971230567',
        service: 'default',
        language: 'en',
        account: undefined,
        entries: { name: 'Amina' },
        with: {},
        secret: '90210',
      });
    expect(await create('first')).toMatchObject({ facts: { customerId: 'C77777777' } });
    expect(await create('second')).toMatchObject({ facts: { customerId: 'C99999999' } });
    expect(draws).toEqual([]);
  });
});
