import { CBOR, UCAN } from '@ucanto/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCanonicalCbor } from '../src/decode/canonical-cbor.js';
import { DEFAULT_LIMITS, decodeToken } from '../src/decode/decode-token.js';
import { readUcan } from '../src/decode/ucan-block.js';
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

const fields = await signedFields({
  att: [{ can: 'store/add', with: 'ixo:box', nb: { é: 'ü', big: 2n ** 63n, low: -(2n ** 60n), edge: -(2n ** 53n) } }],
  fct: [{ a: 1.5, b: [true, null, 'text', 70_000, -3, Buffer.from('x'), 2 ** 53 - 1, 1 - 2 ** 53], c: grant.cid }],
  nnc: 'n',
  nbf: 5,
});
const written = CBOR.encode(fields);

describe('blocks with bytes changed', () => {
  it('are accepted only if encoding them again gives the same bytes', () => {
    expect(encodedAnew(blockOf(written))).toEqual(written);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const block = blockOf(changed(written, changes));
        const again = encodedAnew(block);
        if (again !== undefined) expect(Buffer.compare(again, block.bytes)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('are decoded like the dag-cbor library does, if they are accepted', () => {
    const read = (bytes: Uint8Array) => readCanonicalCbor(bytes, DEFAULT_LIMITS.nesting);
    expect(read(written)).toEqual(CBOR.decode(written));
    let readable = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const bytes = changed(written, changes);
        const form = readOrUndefined(() => read(bytes));
        if (form === undefined) return;
        readable += 1;
        expect(form).toEqual(CBOR.decode(bytes));
      }),
      { numRuns: 2000 },
    );
    expect(readable).toBeGreaterThan(200);
  });
});

describe('text that is not a token', () => {
  it('is refused without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 200 }), fc.base64String({ maxLength: 400 })), (text) => {
        expect(decodeToken(text).ok).toBe(false);
      }),
    );
  });
});

/** ucanto's encoding of a block that is accepted here, else undefined. */
function encodedAnew(block: Parameters<typeof readUcan>[0]) {
  const claims = readOrUndefined(() => readUcan(block, DEFAULT_LIMITS));
  return claims === undefined ? undefined : UCAN.encode(UCAN.decode(block.bytes));
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
