import { describe, expect, it } from 'vitest';
import { KeyError, type KeyProblem, keyringFromSecrets, parseKeyring, parseSecretKey } from './keyring.js';

const key = (byte: number) => Buffer.alloc(32, byte);
const base64 = (byte: number) => key(byte).toString('base64');

function problemOf(work: () => unknown): KeyProblem | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof KeyError ? error.problem : undefined;
  }
}

describe('parseKeyring', () => {
  it('makes the first key the active one and finds all keys', () => {
    const keyring = parseKeyring(` 2026:${base64(1)}, 2025:${base64(2)} ,`);
    expect(keyring.active.id).toBe('2026');
    expect(keyring.find('2025')?.bytes).toEqual(key(2));
    expect(keyring.find('2024')).toBe(undefined);
  });

  it('accepts base64url too', () => {
    expect(parseKeyring(`a:${key(0xff).toString('base64url')}`).active.bytes).toEqual(key(0xff));
  });

  it.each<[string, KeyProblem]>([
    ['', 'no_keys'],
    [' , ', 'no_keys'],
    [base64(1), 'bad_key_id'],
    [`:${base64(1)}`, 'bad_key_id'],
    [`a b:${base64(1)}`, 'bad_key_id'],
    [`${'x'.repeat(33)}:${base64(1)}`, 'bad_key_id'],
    ['a:short', 'wrong_form'],
    [`a:${base64(0)}`, 'all_zero'],
    [`a:${base64(1)},a:${base64(2)}`, 'duplicate_key_id'],
    [`a:${base64(1)},b:${base64(1)}`, 'duplicate_key'],
  ])('refuses %j as %s', (text, problem) => {
    expect(problemOf(() => parseKeyring(text))).toBe(problem);
  });

  it('does not repeat the key in its errors', () => {
    const secret = 'correct-horse-battery-staple';
    expect(() => parseKeyring(`a:${secret}`)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    );
  });
});

describe('parseSecretKey', () => {
  it.each([
    ['64 hex characters', key(7).toString('hex'), key(7)],
    ['64 hex characters in capitals', key(0xab).toString('hex').toUpperCase(), key(0xab)],
    ['44 characters of base64', base64(7), key(7)],
    ['32 raw characters', 'abcdefghijklmnopqrstuvwxyz012345', Buffer.from('abcdefghijklmnopqrstuvwxyz012345')],
  ])('reads %s', (_, text, expected) => {
    expect(parseSecretKey(text)).toEqual(expected);
  });

  it.each<[string, string, KeyProblem]>([
    ['nothing', '', 'wrong_form'],
    ['31 characters', 'a'.repeat(31), 'wrong_form'],
    ['33 characters', 'a'.repeat(33), 'wrong_form'],
    ['63 hex characters', 'a'.repeat(63), 'wrong_form'],
    ['64 characters that are not hex', 'z'.repeat(64), 'wrong_form'],
    ['32 characters of more than 32 bytes', 'é'.repeat(32), 'wrong_form'],
    ['zeros in hex', '0'.repeat(64), 'all_zero'],
    ['zeros in base64', base64(0), 'all_zero'],
    ['32 digits zero', '0'.repeat(32), 'all_zero'],
    ['32 zero characters', '\0'.repeat(32), 'all_zero'],
  ])('refuses %s', (_, text, problem) => {
    expect(problemOf(() => parseSecretKey(text))).toBe(problem);
  });
});

describe('keyringFromSecrets', () => {
  it('derives key ids from the keys, so that an old key has the same id', () => {
    const before = keyringFromSecrets(base64(1));
    const after = keyringFromSecrets(base64(2), [key(1).toString('hex')]);
    expect(after.find(before.active.id)?.bytes).toEqual(key(1));
    expect(after.active.id).not.toBe(before.active.id);
  });

  it('refuses the current key among the earlier ones', () => {
    expect(problemOf(() => keyringFromSecrets(base64(1), [base64(1)]))).toBe('duplicate_key_id');
  });
});
