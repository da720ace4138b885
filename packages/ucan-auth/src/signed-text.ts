import { dagJson } from './dag-json.js';
import type { Capability, UcanContent } from './ucan-content.js';

const HEADER = Buffer.from('{"alg":"EdDSA","typ":"JWT","ucv":"0.9.1"}').toString('base64url');

/**
 * The bytes that the signature of a UCAN 0.9.1 covers: header and payload of a JWT, keys in order, empty optional fields left
 * out. `proofs` are the CIDs of its proofs, as text.
 * @throws TypeError when caveats or facts are no data.
 */
export function signedText(ucan: UcanContent, proofs: readonly string[]): Uint8Array {
  const { facts, nonce, notBefore, expiresAt } = ucan;
  const fct = facts.length === 0 ? '' : `,"fct":${dagJson(facts)}`;
  const nbf = notBefore === 0 ? '' : `,"nbf":${notBefore}`;
  const nnc = nonce === '' ? '' : `,"nnc":${JSON.stringify(nonce)}`;
  const payload =
    `{"att":[${ucan.capabilities.map(capabilityJson).join(',')}],"aud":${JSON.stringify(ucan.audience)}` +
    `,"exp":${Number.isFinite(expiresAt) ? expiresAt : 'null'}${fct},"iss":${JSON.stringify(ucan.issuer)}` +
    `${nbf}${nnc},"prf":${JSON.stringify(proofs)}}`;
  return Buffer.from(`${HEADER}.${Buffer.from(payload).toString('base64url')}`, 'latin1');
}

function capabilityJson({ can, with: resource, nb }: Capability): string {
  const caveats = nb === undefined ? '' : `,"nb":${dagJson(nb)}`;
  return `{"can":${JSON.stringify(can)}${caveats},"with":${JSON.stringify(resource)}}`;
}
