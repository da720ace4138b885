import { expect, it } from 'vitest';
import { base32, base58, bech32 } from './encodings.js';

it('base 58 agrees with the published examples and keeps leading zeros', () => {
  expect(base58(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  expect(base58(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
  expect(base58(Buffer.alloc(0))).toBe('');
});

it('base 32 agrees with RFC 4648', () => {
  expect(base32(Buffer.from('foobar'))).toBe('mzxw6ytboi');
  expect(base32(Buffer.from('f'))).toBe('my');
});

it('bech32 agrees with BIP 173', () => {
  const program = Buffer.from('00443214c74254b635cf84653a56d7c675be77df', 'hex');
  expect(bech32('abcdef', program)).toBe('abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw');
});
