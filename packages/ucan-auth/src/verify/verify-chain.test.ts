import { describe, expect, it } from 'vitest';
import { createUcanAuth, type DidResolver } from '../auth.js';
import { mintDelegation, mintInvocation, signerFromSeed } from '../mint/minting.js';

const ORACLE = 'did:ixo:entity:oracle';
const USE = { can: '*', with: 'ixo:oracle' };
const alice = signerFromSeed('a1'.repeat(32));
const bob = signerFromSeed('b0'.repeat(32));
const carol = signerFromSeed('c4'.repeat(32));
const away = signerFromSeed('d0'.repeat(32), 'did:ixo:ixo1away');

/** Nobody's keys can be read, and whose were asked for. */
function unreachable(): DidResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    method: 'ixo',
    resolve: async (did) => {
      asked.push(did);
      return { ok: false, code: 'unavailable' };
    },
    forget: () => undefined,
  };
}

const grantTo = (audience: string, capability = USE, signer = alice) =>
  mintDelegation({ signer, audience, capabilities: [capability] });

async function judged(proofs: readonly string[]) {
  const resolver = unreachable();
  const auth = createUcanAuth({ audiences: [ORACLE], resolvers: [resolver] });
  const token = await mintInvocation({ signer: carol, audience: ORACLE, proofs });
  return { validation: await auth.invocation(token), asked: resolver.asked };
}

describe('the search for a chain', () => {
  it('asks for no key of a proof that grants nothing of the claim or is not addressed to who shows it', async () => {
    const elsewhere = await grantTo(carol.did, { can: '*', with: 'ixo:memory' }, away);
    const toAnother = await grantTo(bob.did, USE, away);
    const { validation, asked } = await judged([elsewhere, toAnother, await grantTo(carol.did)]);
    expect(validation).toMatchObject({ ok: true, result: { path: [{ issuer: carol.did }, { issuer: alice.did }] } });
    expect(asked).toEqual([]);
  });

  it('goes on beside a proof whose key cannot be read, and is unavailable where nothing else carries the claim', async () => {
    const missing = await grantTo(carol.did, USE, away);
    const both = await judged([missing, await grantTo(carol.did)]);
    expect(both).toMatchObject({ validation: { ok: true }, asked: [away.did] });
    expect(await judged([missing])).toEqual({ validation: { ok: false, code: 'unavailable' }, asked: [away.did] });
  });

  it('takes the wider resource of a grant to what that rests on', async () => {
    const all = { can: '*', with: 'ixo:*' };
    const restingOn = async (proof: Promise<string>) =>
      mintDelegation({ signer: bob, audience: carol.did, capabilities: [all], proofs: [await proof] });
    const narrow = await judged([await restingOn(grantTo(bob.did))]);
    expect(narrow.validation).toEqual({ ok: false, code: 'not_authorized' });
    const wide = await judged([await restingOn(grantTo(bob.did, all))]);
    expect(wide.validation).toMatchObject({ ok: true });
  });
});
