import { CBOR, UCAN } from '@ucanto/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeToken } from '../src/decode-token.js';
import { DEFAULT_LIMITS } from '../src/limits.js';
import { readUcan } from '../src/ucan-block.js';
import { alice, blockOf, bob, signedFields, ucanBlock } from './forge.js';

const grant = await ucanBlock({ signer: bob, audience: alice.did });

const change = fc.record({
  at: fc.nat(),
  byte: fc.integer({ min: 0, max: 255 }),
  kind: fc.constantFrom('set', 'insert', 'remove'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  const list = [...bytes];
  for (const { at, byte, kind } of changes) {
    const index = at % Math.max(list.length, 1);
    if (kind === 'set') list[index] = byte;
    else list.splice(index, kind === 'remove' ? 1 : 0, ...(kind === 'insert' ? [byte] : []));
  }
  return Uint8Array.from(list);
}

describe('blocks with bytes changed', () => {
  it('are only read when, written again, they give the same bytes', async () => {
    const fields = await signedFields({
      fct: [{ a: 1.5, b: [true, null, 'text', 70_000, -3, Buffer.from('x')], c: grant.cid }],
      nnc: 'n',
      nbf: 5,
    });
    const bytes = CBOR.encode(fields);
    expect(encodedAnew(blockOf(bytes))).toEqual(bytes);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const block = blockOf(changed(bytes, changes));
        const again = encodedAnew(block);
        if (again !== undefined) expect(Buffer.compare(again, block.bytes)).toBe(0);
      }),
      { numRuns: 6000 },
    );
  });
});

describe('text that is no token', () => {
  it('is refused without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 200 }), fc.base64String({ maxLength: 400 })), (text) => {
        expect(decodeToken(text).ok).toBe(false);
      }),
    );
  });
});

/** What ucanto writes for a block that is read here; undefined when it is not. */
function encodedAnew(block: Parameters<typeof readUcan>[0]) {
  try {
    readUcan(block, DEFAULT_LIMITS);
  } catch {
    return undefined;
  }
  return UCAN.encode(UCAN.decode(block.bytes));
}
