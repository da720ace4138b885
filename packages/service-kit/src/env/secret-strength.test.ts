import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keysWeakness, keyWeakness, mnemonicWeakness, placeholderWeakness, tokenWeakness } from './secret-strength.js';

/** As random as `openssl rand 32`, and the same for the same number. */
const random32 = fc.nat().map((seed) => createHash('sha256').update(`seed ${seed}`).digest());
const runs = { numRuns: 1_000 };
const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const words =
  'legal winner thank year wave sausage worth useful legal winner thank yellow vivid ozone pudding drift slab maze';

describe('a token', () => {
  it('of 32 random bytes is never weak, in hex, base64 or base64url', () => {
    fc.assert(
      fc.property(random32, (bytes) => {
        for (const form of ['hex', 'base64', 'base64url'] as const) {
          expect(tokenWeakness(bytes.toString(form)), form).toBeUndefined();
        }
        expect(tokenWeakness(bytes.toString('hex').toUpperCase())).toBeUndefined();
      }),
      runs,
    );
  });

  it('that repeats a block is weak, for any block and form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), fc.integer({ min: 2, max: 6 }), (block, times) => {
        const bytes = Buffer.concat(Array.from({ length: times }, () => block));
        for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const) {
          expect(tokenWeakness(bytes.toString(form)), form).toBeDefined();
        }
      }),
    );
  });

  it('of fewer than 16 different bytes is weak, in any order', () => {
    const few = fc
      .uniqueArray(fc.nat(255), { minLength: 1, maxLength: 15 })
      .chain((alphabet) => fc.array(fc.constantFrom(...alphabet), { minLength: 8, maxLength: 64 }));
    fc.assert(
      fc.property(few, (bytes) => {
        expect(tokenWeakness(Buffer.from(bytes).toString('hex'))).toBeDefined();
        expect(tokenWeakness(Buffer.from(bytes).toString('base64'))).toBeDefined();
      }),
    );
  });

  it.each([
    ['0'.repeat(64), 'is all zeros'],
    ['x'.repeat(32), 'is one block repeated'],
    ['change-me-change-me-change', 'is one block repeated'],
    ['a-token-of-an-operator', 'has fewer than 16 different bytes'],
    ['correct horse battery staple', 'has fewer than 16 different bytes'],
    ['9f86d081884c7d65', 'has fewer than 16 different bytes'],
    ['abcdefghijklmnopqrstuvwxyz0123456789', 'counts up or down'],
    [counting.toString('hex'), 'counts up or down'],
    [counting.toString('base64'), 'counts up or down'],
  ])('%j is weak: it %s', (token, weakness) => expect(tokenWeakness(token)).toBe(weakness));
});

describe('a key', () => {
  it('of 32 random bytes is never weak', () => {
    fc.assert(
      fc.property(random32, (bytes) => {
        for (const form of ['hex', 'base64', 'base64url'] as const) {
          expect(keyWeakness(bytes.toString(form)), form).toBeUndefined();
        }
      }),
      runs,
    );
  });

  it('of 32 characters is a passphrase, in any form', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 32, maxLength: 32 }), (text) => {
        expect(keyWeakness(text)).toContain('passphrase');
      }),
    );
    expect(keyWeakness('9f86d081884c7d659a2feaa0c55ad015')).toContain('passphrase');
  });

  it('is a passphrase also when encoded in hex or base64', () => {
    const text = Buffer.from('Quick brown foxes jump over dogs');
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(keyWeakness(text.toString(form))).toContain('passphrase');
    }
  });

  it.each([
    ['00'.repeat(32), 'is all zeros'],
    ['ab'.repeat(32), 'is one block repeated'],
    ['9f86d081884c7d659a2feaa0c55ad015'.repeat(2), 'is one block repeated'],
    [Buffer.alloc(32, 7).toString('base64'), 'is one block repeated'],
    [counting.toString('base64'), 'counts up or down'],
    [`${'00'.repeat(24)}0102030405060708`, 'counts up or down'],
  ])('%s is weak: it %s', (key, weakness) => expect(keyWeakness(key)).toBe(weakness));
});

it('of several keys the first weak one is named by its position', () => {
  const good = createHash('sha256').update('a key').digest('hex');
  expect(keysWeakness([])).toBeUndefined();
  expect(keysWeakness([good])).toBeUndefined();
  expect(keysWeakness([good, '0'.repeat(64)])).toBe('key 2 is all zeros');
});

describe('a mnemonic', () => {
  it('of twelve words or more is accepted, and of fewer is weak', () => {
    const all = words.split(' ');
    for (let count = 1; count <= all.length; count += 1) {
      const weakness = mnemonicWeakness(` ${all.slice(0, count).join('  ')}\n`);
      expect(weakness, String(count)).toBe(count < 12 ? 'has fewer than 12 words' : undefined);
    }
  });

  it('that repeats its words is weak', () => {
    expect(mnemonicWeakness(`${'abandon '.repeat(11)}about`)).toBe('repeats its words');
    expect(mnemonicWeakness(`${'one two three four five six seven eight nine ten '.repeat(2)}`)).toBe(
      'repeats its words',
    );
  });
});

it("a third party's secret is accepted at any length, but a placeholder is not", () => {
  expect(placeholderWeakness('8f742231b10e8888abcd99yyyzzz85a5')).toBeUndefined();
  expect(placeholderWeakness('x'.repeat(32))).toBe('is one block repeated');
});
