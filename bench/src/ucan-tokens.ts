import { mintDelegation, mintInvocation, signerFromSeed, type UcanSigner } from '@mlango/ucan-auth/minting';

export const ORACLE = 'did:ixo:entity:0f3c8b7e';
const USE_ORACLE = { can: '*', with: 'ixo:oracle' };

/** Different tokens of one kind: an invocation at the end of a chain of `proofs` delegations, each by another issuer. */
export async function tokensWith(proofs: number, count: number): Promise<string[]> {
  const chain: string[] = [];
  let signer = signerOf(0);
  for (let hop = 1; hop <= proofs; hop++) {
    const next = signerOf(hop);
    const delegation = { signer, audience: next.did, capabilities: [USE_ORACLE] as const, proofs: chain.splice(0) };
    chain.push(await mintDelegation({ ...delegation, lifetimeSeconds: 86_400 }));
    signer = next;
  }
  const tokens: string[] = [];
  for (let index = 0; index < count; index++) {
    tokens.push(await mintInvocation({ signer, audience: ORACLE, proofs: chain, lifetimeSeconds: 600 }));
  }
  return tokens;
}

export function signerOf(index: number): UcanSigner {
  return signerFromSeed(Buffer.alloc(32, index + 1));
}
