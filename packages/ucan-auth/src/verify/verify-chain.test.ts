import { describe, expect, it } from 'vitest';
import { createUcanAuth, type DidResolver } from '../auth.js';
import { mintDelegation, mintInvocation, signerFromSeed } from '../mint/minting.js';

const ORACLE = 'did:ixo:entity:oracle';
const USE = { can: '*', with: 'ixo:oracle' };
const alice = signerFromSeed('a1'.repeat(32));
const bob = signerFromSeed('b0'.repeat(32));
const carol = signerFromSeed('c4'.repeat(32));
const unavailableIssuer = signerFromSeed('d0'.repeat(32), 'did:ixo:ixo1away');

/** A resolver that is always unavailable, and its lookups. */
function unreachable(): DidResolver & { readonly lookups: string[] } {
  const lookups: string[] = [];
  return {
    lookups,
    method: 'ixo',
    resolve: async (did) => {
      lookups.push(did);
      return { ok: false, code: 'unavailable' };
    },
    forget: () => undefined,
  };
}

const grantTo = (audience: string, capability = USE, signer = alice) =>
  mintDelegation({ signer, audience, capabilities: [capability] });

async function verify(proofs: readonly string[]) {
  const resolver = unreachable();
  const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [resolver] });
  const token = await mintInvocation({ signer: carol, audience: ORACLE, proofs });
  return { validation: await auth.invocation(token), lookups: resolver.lookups };
}

describe('the proof search', () => {
  it('looks up no key of a proof that cannot grant the claim or has another audience', async () => {
    const unrelated = await grantTo(carol.did, { can: '*', with: 'ixo:memory' }, unavailableIssuer);
    const toAnother = await grantTo(bob.did, USE, unavailableIssuer);
    const { validation, lookups } = await verify([unrelated, toAnother, await grantTo(carol.did)]);
    expect(validation).toMatchObject({ ok: true, result: { path: [{ issuer: carol.did }, { issuer: alice.did }] } });
    expect(lookups).toEqual([]);
  });

  it('continues with other proofs if a key is unavailable, and is unavailable if no other proof grants the claim', async () => {
    const missing = await grantTo(carol.did, USE, unavailableIssuer);
    const both = await verify([missing, await grantTo(carol.did)]);
    expect(both).toMatchObject({ validation: { ok: true }, lookups: [unavailableIssuer.did] });
    expect(await verify([missing])).toEqual({
      validation: { ok: false, code: 'unavailable' },
      lookups: [unavailableIssuer.did],
    });
  });

  it('requires that a proof covers the resource that is granted with it', async () => {
    const all = { can: '*', with: 'ixo:*' };
    const withProof = async (proof: Promise<string>) =>
      mintDelegation({ signer: bob, audience: carol.did, capabilities: [all], proofs: [await proof] });
    const narrow = await verify([await withProof(grantTo(bob.did))]);
    expect(narrow.validation).toEqual({ ok: false, code: 'not_authorized' });
    const wide = await verify([await withProof(grantTo(bob.did, all))]);
    expect(wide.validation).toMatchObject({ ok: true });
  });
});
