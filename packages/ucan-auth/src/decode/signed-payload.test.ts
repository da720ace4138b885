import { UCAN } from '@ucanto/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alice, blockOf, bob, cidOf, NOW, type UcanParts, ucanBlock } from '../../test/forge.js';
import { DEFAULT_LIMITS } from './decode-token.js';
import { dagJson, signedPayload } from './signed-payload.js';
import { readUcan } from './ucan-block.js';

const proof = await ucanBlock({ signer: bob, audience: alice.did });
const link = cidOf(Buffer.from('linked'));

/** The text that ucanto signs and checks. */
async function textOfUcanto(bytes: Uint8Array): Promise<string> {
  const view = UCAN.decode(bytes);
  let text = '';
  const verify = (payload: Uint8Array) => {
    text = Buffer.from(payload).toString();
    return true;
  };
  await UCAN.verifySignature(view, { did: () => view.issuer.did(), verify });
  return text;
}

async function both(parts: UcanParts): Promise<[string, string]> {
  const { bytes } = await ucanBlock(parts);
  const claims = readUcan(blockOf(bytes), DEFAULT_LIMITS);
  const own = signedPayload(
    claims,
    (parts.prf ?? []).map(({ cid }) => cid.toString()),
  );
  return [Buffer.from(own).toString(), await textOfUcanto(bytes)];
}

const key = fc
  .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
  .filter((text) => /^[^/\ufeff]/u.test(text) && text !== 'asCID' && text !== '__proto__');
const text = fc.string({ maxLength: 20, unit: 'grapheme' }).filter((value) => !value.startsWith('\ufeff'));
const { data } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
    fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
    fc.uint8Array({ maxLength: 9 }),
    fc.constant(link),
    fc.array(tie('data'), { maxLength: 3 }),
    fc.dictionary(key, tie('data'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const map = fc.dictionary(key, data, { maxKeys: 4, noNullPrototype: true });

describe('signedPayload', () => {
  it.each<[string, UcanParts]>([
    ['nothing optional', {}],
    ['no expiry', { exp: null }],
    ['a beginning, a nonce and proofs', { nbf: NOW, nnc: 'a "nonce"\n\u2028', prf: [proof] }],
    [
      'several capabilities',
      {
        att: [
          { can: 'a/b', with: 'x:"é"' },
          { can: '*', with: 'ixo:*', nb: {} },
        ],
      },
    ],
  ])('equals what ucanto signs with %s', async (_, parts) => {
    const [own, ucantos] = await both(parts);
    expect(own).toBe(ucantos);
  });

  it('equals what ucanto signs for random facts and caveats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(map, { maxLength: 3 }), map, text, async (fct, nb, nnc) => {
        const nonce = nnc === '' ? {} : { nnc };
        const [own, ucantos] = await both({ fct, att: [{ can: 'store/add', with: 'ixo:box', nb }], ...nonce });
        expect(own).toBe(ucantos);
      }),
      { numRuns: 300 },
    );
  });
});

describe('dagJson', () => {
  it.each([undefined, Number.NaN, new Date(0), new Map(), Symbol('s'), () => 1])('refuses %s', (value) => {
    expect(() => dagJson({ value })).toThrow(TypeError);
  });
});
