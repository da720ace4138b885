import { keyringOf } from '@mlango/crypto/keyring';
import { expect, it } from 'vitest';
import { vaultOf } from './plugin-storage.js';

const keys = (byte: number) => keyringOf([{ id: 'k1', bytes: Buffer.alloc(32, byte) }]);

it('opens only for the plugin, the oracle and the owner that it was sealed for', () => {
  const vault = vaultOf(keys(1), 'did:key:oracle', 'calls');
  const sealed = vault.seal('a secret', 'asha');
  expect(sealed).not.toContain('secret');
  expect(vault.open(sealed, 'asha')).toBe('a secret');
  expect(vault.open(sealed, 'bo')).toBe(undefined);
  expect(vault.open('a secret', 'asha')).toBe(undefined);
  for (const other of [
    vaultOf(keys(1), 'did:key:oracle', 'memory'),
    vaultOf(keys(1), 'did:key:other', 'calls'),
    vaultOf(keys(2), 'did:key:oracle', 'calls'),
  ]) {
    expect(other.open(sealed, 'asha')).toBe(undefined);
  }
});
