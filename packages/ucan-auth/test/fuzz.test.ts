import { CBOR, UCAN } from '@ucanto/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { decodeToken } from '../src/decode-token.js';
import { DEFAULT_LIMITS } from '../src/limits.js';
import { readUcan } from '../src/ucan-block.js';
import { alice, base64, blockOf, bob, NOW, ORACLE, signedFields, token, tokenOf, ucanBlock } from './forge.js';

const grant = await ucanBlock({ signer: bob, audience: alice.did });
const tokens = [
  await token({}),
  await token({ prf: [grant] }),
  await token({ fct: [{ a: [1, { b: 'c' }] }], nnc: 'n' }),
];
const auth = createUcanAuth({ audiences: [ORACLE], now: () => NOW });

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

describe('tokens with bytes changed', () => {
  it('never throw and never authenticate', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tokens),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (text, changes) => {
          const forged = base64(changed(Buffer.from(text, 'base64'), changes));
          fc.pre(forged !== text);
          expect((await auth.invocation(forged)).ok).toBe(false);
          expect((await auth.delegation(forged)).ok).toBe(false);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('never authenticate though each block is given the CID of its changed bytes', async () => {
    const fields = CBOR.encode(await signedFields({ fct: [{ a: 1.5, b: [true, null, 'text'] }], nnc: 'n' }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = changed(fields, changes);
        fc.pre(Buffer.compare(bytes, fields) !== 0);
        expect((await auth.invocation(tokenOf(blockOf(bytes)))).ok).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it('never authenticate with fields left out, added or made empty after signing', async () => {
    const signed = await signedFields({});
    const nothing = fc.constantFrom<unknown>(undefined, null, 0, '', [], {}, false, Buffer.alloc(0));
    const names = ['s', 'v', 'att', 'aud', 'exp', 'fct', 'iss', 'nbf', 'nnc', 'prf', 'zzz'] as const;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), nothing, { minKeys: 1 }), async (changes) => {
        const all = Object.entries({ ...signed, ...changes }).filter(([, value]) => value !== undefined);
        const bytes = CBOR.encode(Object.fromEntries(all));
        fc.pre(Buffer.compare(bytes, CBOR.encode(signed)) !== 0);
        expect((await auth.invocation(tokenOf(blockOf(bytes)))).ok).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

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
