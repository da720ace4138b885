import { Delegation } from '@ucanto/core';
import { Verifier } from '@ucanto/principal/ed25519';
import { capability, claim, Schema } from '@ucanto/validator';
import { mallory } from './forge.js';

const useOracle = capability({ can: '*', with: Schema.uri({ protocol: 'ixo:' }) });
const authority = Verifier.parse(mallory.keyDid);

/** The result of ucanto alone, used as in its documentation. */
export async function verifyByUcanto(token: string): Promise<'accepts' | 'refuses' | 'throws'> {
  try {
    const extraction = await Delegation.extract(Buffer.from(token, 'base64'));
    if (extraction.error !== undefined) return 'refuses';
    const invocation = extraction.ok;
    const chain = [invocation, ...invocation.iterate()];
    const beginners = new Set(chain.filter((ucan) => ucan.proofs.length === 0).map((ucan) => ucan.issuer.did()));
    const result = await claim(useOracle, [invocation], {
      authority,
      principal: Verifier,
      // Any user may use the oracle; an issuer with proofs must be authorised by them.
      canIssue: (_, issuer) => beginners.has(issuer),
      validateAuthorization: () => ({ ok: {} }),
    });
    return result.error === undefined ? 'accepts' : 'refuses';
  } catch {
    return 'throws';
  }
}
