import { UCAN } from '@ucanto/core';
import { describe, expect, it } from 'vitest';
import { rootOf } from '../../test/forge.js';
import { createUcanAuth } from '../auth.js';
import { signedPayload } from '../decode/signed-payload.js';
import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from '../mint/minting.js';
import { isView, viewForUcanto } from './ucanto-adapter.js';

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

async function results() {
  const auth = createUcanAuth({ audiences: [ORACLE] });
  return Promise.all([honest, ...forged].map(async (token) => (await auth.invocation(token)).ok));
}

/** The payload that ucanto passes to the verifier of a signature. */
async function payloadFromUcanto() {
  const ucan = rootOf(honest);
  const view = viewForUcanto(ucan, USE, 0);
  if (!isView(view)) throw new Error('not shown');
  let received: Uint8Array | undefined;
  const verify = (payload: Uint8Array) => {
    received = payload;
    return true;
  };
  await UCAN.verifySignature(view.data, { did: () => view.issuer.did(), verify });
  return { ucan, received };
}

describe('the ucanto view', () => {
  it('is verified by the decoded UCAN, not by the payload that ucanto passes', async () => {
    const { ucan, received } = await payloadFromUcanto();
    const proofs = ucan.proofs.map(({ cid }) => cid.toString());
    expect(received).not.toEqual(signedPayload(ucan, proofs));
    expect(await results()).toEqual([true, false, false]);
  });
});
