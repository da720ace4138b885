import { Delegation } from '@ucanto/core';
import { ed25519 } from '@ucanto/principal';
import { capability, claim, Schema } from '@ucanto/validator';

// ucanto alone, used as its documentation shows.

const useOracle = capability({ can: '*', with: Schema.uri({ protocol: 'ixo:' }) });

/** A judge that throws at whatever it does not accept. */
export async function stockJudge(): Promise<(token: string) => Promise<void>> {
  const { verifier: authority } = await ed25519.generate();
  return async (token) => {
    const extraction = await Delegation.extract(Buffer.from(token, 'base64'));
    if (extraction.error !== undefined) throw new Error('ucanto did not read a token');
    const beginners = new Set<string>();
    for (const ucan of [extraction.ok, ...extraction.ok.iterate()]) {
      if (ucan.proofs.length === 0) beginners.add(ucan.issuer.did());
    }
    const result = await claim(useOracle, [extraction.ok], {
      authority,
      principal: ed25519.Verifier,
      canIssue: (_, issuer) => beginners.has(issuer),
      validateAuthorization: () => ({ ok: {} }),
    });
    if (result.error !== undefined) throw new Error('ucanto refused a good token');
  };
}

/** Mints as ucanto does. */
export async function stockMint(audience: `did:${string}:${string}`): Promise<() => Promise<string>> {
  const issuer = await ed25519.generate();
  return async () => {
    const delegation = await Delegation.delegate({
      issuer,
      audience: { did: () => audience },
      capabilities: [{ can: '*', with: 'ixo:oracle' }],
      expiration: Math.floor(Date.now() / 1000) + 300,
      nonce: 'benchmark',
    });
    const archive = await delegation.archive();
    if (archive.error !== undefined) throw archive.error;
    return Buffer.from(archive.ok).toString('base64');
  };
}
