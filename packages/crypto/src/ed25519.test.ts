import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importVerifyingKey, signingKeyFromSeed, verifyEd25519 } from './ed25519.js';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const {
  vectors,
}: { vectors: { name: string; seed: string; publicKey: string; message: string; signature: string }[] } =
  read('ed25519');
const refused: {
  message: string;
  good: { publicKey: string; signature: string };
  signatures: { name: string; signature: string }[];
  publicKeys: { name: string; publicKey: string }[];
} = read('ed25519-refused');

describe('Ed25519', () => {
  it.each(vectors)('signs and verifies $name of RFC 8032', ({ seed, publicKey, message, signature }) => {
    const key = signingKeyFromSeed(bytes(seed));
    expect(key.publicKey).toEqual(bytes(publicKey));
    expect(key.sign(bytes(message))).toEqual(bytes(signature));
    expect(verifyEd25519(bytes(publicKey), bytes(message), bytes(signature))).toBe(true);
  });

  it('verifies the signatures from which the refused vectors are derived', () => {
    expect(verifyEd25519(bytes(refused.good.publicKey), bytes(refused.message), bytes(refused.good.signature))).toBe(
      true,
    );
  });

  it.each(refused.signatures)('refuses a signature: $name', ({ signature }) => {
    expect(verifyEd25519(bytes(refused.good.publicKey), bytes(refused.message), bytes(signature))).toBe(false);
  });

  it.each(refused.publicKeys)('refuses a key: $name', ({ publicKey }) => {
    const anybody = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]);
    expect(verifyEd25519(bytes(publicKey), bytes(refused.message), anybody)).toBe(false);
    expect(verifyEd25519(bytes(publicKey), bytes(refused.message), bytes(refused.good.signature))).toBe(false);
  });

  it('never throws and never accepts unsigned bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 80 }),
        (key, message, signature) => {
          expect(verifyEd25519(key, message, signature)).toBe(false);
        },
      ),
    );
  });

  it('accepts each key derived from a seed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array(), (seed, message) => {
        const key = signingKeyFromSeed(seed);
        expect(importVerifyingKey(key.publicKey)?.verify(message, key.sign(message))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses a seed of another length', () => {
    expect(() => signingKeyFromSeed(new Uint8Array(31))).toThrow(RangeError);
  });
});
