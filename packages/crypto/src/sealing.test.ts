import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import { hkdfSha256 } from './hashing.js';
import { keyringOf } from './keyring.js';
import { needsReseal, open, type SealContext, seal } from './sealing.js';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const gcm: { vectors: Record<'name' | 'key' | 'iv' | 'plaintext' | 'aad' | 'ciphertext' | 'tag', string>[] } =
  read('aes-256-gcm');
const hkdf: {
  vectors: { name: string; inputKey: string; salt: string; info: string; lengthBytes: number; output: string }[];
} = read('hkdf-sha256');

const first = { id: 'k1', bytes: Buffer.alloc(32, 1) };
const second = { id: 'k2', bytes: Buffer.alloc(32, 2) };
const old = keyringOf([first]);
const turned = keyringOf([second, first]);
const context: SealContext = { purpose: 'pin', owner: 'customer-1', audience: 'gateway' };

describe('the parts', () => {
  it.each(gcm.vectors)('AES-256-GCM computes $name', ({ key, iv, plaintext, aad, ciphertext, tag }) => {
    const encrypted = encryptGcm(bytes(key), bytes(iv), bytes(plaintext), bytes(aad));
    expect([encrypted.ciphertext.toString('hex'), encrypted.tag.toString('hex')]).toEqual([ciphertext, tag]);
    expect(decryptGcm(bytes(key), bytes(iv), encrypted, bytes(aad))).toEqual(bytes(plaintext));
  });

  it('AES-256-GCM accepts no shortened tag', () => {
    const { key = '', iv = '', plaintext = '', aad = '' } = gcm.vectors[3] ?? {};
    const { ciphertext, tag } = encryptGcm(bytes(key), bytes(iv), bytes(plaintext), bytes(aad));
    for (const length of [0, 4, 8, 12, 15]) {
      expect(decryptGcm(bytes(key), bytes(iv), { ciphertext, tag: tag.subarray(0, length) }, bytes(aad))).toBe(
        undefined,
      );
    }
  });

  it.each(hkdf.vectors)('HKDF-SHA-256 computes $name of RFC 5869', ({ inputKey, salt, info, lengthBytes, output }) => {
    expect(hkdfSha256(bytes(inputKey), bytes(salt), bytes(info), lengthBytes).toString('hex')).toBe(output);
  });
});

describe('a sealed record', () => {
  it('opens to the sealed value, for any value', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        fc.string(),
        fc.string(),
        (secret, purpose, owner, audience) => {
          const result = open(seal(secret, old, { purpose, owner, audience }), old, { purpose, owner, audience });
          expect(result).toEqual({ ok: true, plaintext: Buffer.from(secret) });
        },
      ),
    );
  });

  it('is one line of safe text that reveals nothing and never repeats', () => {
    const records = Array.from({ length: 20 }, () => seal('1234', old, context));
    expect(new Set(records).size).toBe(20);
    for (const record of records) expect(record).toMatch(/^s1\.k1\.[\w-]{43}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
  });

  it.each<[string, SealContext]>([
    ['another purpose', { ...context, purpose: 'delegation' }],
    ['another owner', { ...context, owner: 'customer-2' }],
    ['another audience', { ...context, audience: 'oracle' }],
    ['no audience', { purpose: 'pin', owner: 'customer-1' }],
    ['the same text split at another position', { purpose: 'pinc', owner: 'ustomer-1', audience: 'gateway' }],
  ])('does not open for %s', (_, other) => {
    expect(open(seal('1234', old, context), old, other)).toEqual({ ok: false, code: 'tampered' });
  });

  it('distinguishes an unknown key, a wrong key and changed bytes', () => {
    const record = seal('1234', turned, context);
    expect(open(record, old, context)).toEqual({ ok: false, code: 'unknown_key' });
    expect(open(record, keyringOf([{ id: 'k2', bytes: Buffer.alloc(32, 3) }]), context)).toEqual({
      ok: false,
      code: 'wrong_key',
    });
    const parts = record.split('.');
    const other = seal('9999', turned, context).split('.');
    for (const part of [3, 4, 5]) {
      const mixed = parts.map((text, index) => (index === part ? other[index] : text)).join('.');
      expect(open(mixed, turned, context)).toEqual({ ok: false, code: 'tampered' });
    }
    expect(open(record.replace('.k2.', '.k1.'), turned, context)).toEqual({ ok: false, code: 'wrong_key' });
  });

  it('never opens, and never throws, with any character changed', () => {
    const record = seal('a secret', old, context);
    fc.assert(
      fc.property(fc.nat({ max: record.length - 1 }), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(record[at] !== character);
        expect(open(`${record.slice(0, at)}${character}${record.slice(at + 1)}`, old, context).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 's1', 's1.k1....', 'plain text', 's2.k1.a.b.c.d', `s1.k1.${'A'.repeat(43)}.${'A'.repeat(16)}..`])(
    'that is %j is malformed',
    (text) => {
      expect(open(text, old, context)).toEqual({ ok: false, code: 'malformed' });
    },
  );

  it('opens after a key rotation, and reports that it should be sealed again', () => {
    const record = seal('1234', old, context);
    expect(open(record, turned, context)).toMatchObject({ ok: true });
    expect([needsReseal(record, old), needsReseal(record, turned), needsReseal('rubbish', old)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(needsReseal(seal('1234', turned, context), turned)).toBe(false);
  });
});
