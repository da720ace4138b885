import { keyringOf } from '@mlango/crypto/keyring';
import { expect, it } from 'vitest';
import { linkCodes } from './link-codes.js';

const codes = linkCodes(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 9) }]));

it('a phone gets the same code for the same key, in a form that is accepted in any spelling', () => {
  const code = codes.ofPhone('key-1');
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/);
  expect(codes.ofPhone('key-1')).toBe(code);
  expect(codes.ofPhone('key-2')).not.toBe(code);
  const mac = codes.macOf(code);
  expect(mac).toBeDefined();
  for (const typed of [code.toLowerCase(), code.replace('-', ''), ` ${code} `, code.replace('-', ' ')])
    expect(codes.macOf(typed)).toBe(mac);
});

it('a person gets eight digits, and any other form is refused', () => {
  expect(codes.ofPerson((count) => Buffer.alloc(count))).toBe('00000000');
  expect(codes.ofPerson((count) => Buffer.alloc(count, 0xf0))).toMatch(/^\d{8}$/);
  expect(codes.macOf('12345678')).toBeDefined();
  for (const typed of ['', '1234567', '123456789', 'ABCDE-FGHI0', 'x'.repeat(10_000)])
    expect(codes.macOf(typed)).toBeUndefined();
});
