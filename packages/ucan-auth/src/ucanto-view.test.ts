import { UCAN } from '@ucanto/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createUcanAuth } from './auth.js';
import { decodeToken } from './decode-token.js';
import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from './minting.js';
import { isShown, ShownUcan, ucantoView } from './ucanto-view.js';

const ORACLE = 'did:ixo:entity:oracle';
const USE = { can: '*', with: 'ixo:oracle' };
const alice = signerFromSeed(Buffer.alloc(32, 1));
const bob = signerFromSeed(Buffer.alloc(32, 2));
const forging = (signer: UcanSigner): UcanSigner => ({ ...signer, sign: () => new Uint8Array(64) });

async function tokenBy(signer: UcanSigner, granter: UcanSigner) {
  const proof = await mintDelegation({ signer: granter, audience: signer.did, capabilities: [USE] });
  return mintInvocation({ signer, audience: ORACLE, proofs: [proof] });
}

const honest = await tokenBy(bob, alice);
const forged = [await tokenBy(forging(bob), alice), await tokenBy(bob, forging(alice))];

async function verdicts() {
  const auth = createUcanAuth({ audiences: [ORACLE] });
  return Promise.all([honest, ...forged].map(async (token) => (await auth.invocation(token)).ok));
}

/** What ucanto hands to the verifier of a token's signature. */
async function handedOver() {
  const decoding = decodeToken(honest);
  if (!decoding.ok) throw new Error(decoding.code);
  const view = ucantoView(decoding.token.root, USE, 0);
  if (!isShown(view)) throw new Error('not shown');
  let handed: Uint8Array | undefined;
  const verify = (payload: Uint8Array) => {
    handed = payload;
    return true;
  };
  await UCAN.verifySignature(view.data, { did: () => view.issuer.did(), verify });
  return handed;
}

describe('a view for ucanto', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is verified without a text that nobody looks at', async () => {
    expect(await handedOver()).toHaveLength(0);
    expect(await verdicts()).toEqual([true, false, false]);
  });

  it('is judged the same by ucanto as it is published', async () => {
    vi.spyOn(ShownUcan.prototype, 'signed', 'get').mockReturnValue(undefined as unknown as Uint8Array);
    expect(await handedOver()).not.toHaveLength(0);
    expect(await verdicts()).toEqual([true, false, false]);
  });
});
