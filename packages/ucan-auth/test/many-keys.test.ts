import { signingKeyFromSeed } from '@mlango/crypto/ed25519';
import { describe, expect, it } from 'vitest';
import { createUcanAuth, type DidResolver } from '../src/auth.js';
import { DEFAULT_LIMITS } from '../src/decode/decode-token.js';
import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from '../src/mint/minting.js';

const ORACLE = 'did:ixo:entity:oracle';
const USE = { can: '*', with: 'ixo:oracle' };
const seedOf = (index: number) => Buffer.alloc(32, index + 1);
/** The most keys that are read from a document. */
const keys = [0, 1, 2, 3, 4, 5, 6, 7];
const ixo: DidResolver = {
  method: 'ixo',
  resolve: async () => ({ ok: true, keys: keys.map((index) => signingKeyFromSeed(seedOf(index)).publicKey) }),
  forget: () => undefined,
};

/** An issuer with looked-up keys that signs with the last of them. */
const lookedUp = (name: string) => signerFromSeed(seedOf(keys.length - 1), `did:ixo:ixo1${name}`);
const forger = (name: string): UcanSigner => ({ ...lookedUp(name), sign: () => new Uint8Array(64) });

/** A token at the end of layers of grants, each UCAN with all of the previous layer as proofs. */
async function tokenOf(layers: readonly { readonly by: UcanSigner; readonly width: number }[], signer: UcanSigner) {
  let proofs: string[] = [];
  for (const [at, { by, width }] of layers.entries()) {
    const audience = layers[at + 1]?.by.did ?? signer.did;
    const grant = { signer: by, audience, capabilities: [USE] as const, proofs };
    proofs = await Promise.all(Array.from({ length: width }, (_, n) => mintDelegation({ ...grant, nonce: `${n}` })));
  }
  return mintInvocation({ signer, audience: ORACLE, proofs });
}

const auth = () => createUcanAuth({ audiences: [ORACLE], resolvers: [ixo] });

describe('issuers with the most keys', () => {
  it('are accepted on the longest chain with the most looked-up issuers', async () => {
    const others = [20, 21, 22, 23, 24].map((index) => signerFromSeed(seedOf(index)));
    for (const places of [
      [0, 1, 2],
      [1, 3, 4],
      [0, 2, 4],
    ]) {
      const chain = others.map((other, at) => (places.includes(at) ? lookedUp(`a${at}`) : other));
      const [signer = lookedUp('x'), ...grants] = chain;
      const layers = grants.map((by) => ({ by, width: 1 }));
      expect(await auth().invocation(await tokenOf(layers, signer))).toMatchObject({ ok: true });
    }
  });

  it('make a token too complex beyond the limit of signature checks', async () => {
    const [far, middle, near] = [forger('far'), lookedUp('middle'), lookedUp('near')];
    const text = await tokenOf(
      [
        { by: far, width: 2 },
        { by: middle, width: 2 },
      ],
      near,
    );
    expect(await auth().invocation(text)).toEqual({ ok: false, code: 'too_complex' });
    const roomy = createUcanAuth({ audiences: [ORACLE], resolvers: [ixo], limits: { verifications: 40 } });
    expect(await roomy.invocation(text)).toEqual({ ok: false, code: 'not_authorized' });
    expect(DEFAULT_LIMITS.verifications).toBe(32);
  });
});
