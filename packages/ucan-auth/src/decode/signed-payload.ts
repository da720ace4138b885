import { isLink } from 'multiformats/link';
import type { Capability, UcanContent } from './ucan-block.js';

const HEADER = Buffer.from('{"alg":"EdDSA","typ":"JWT","ucv":"0.9.1"}').toString('base64url');

/**
 * The bytes that the signature of a UCAN 0.9.1 covers: header and payload of a JWT with sorted keys and without empty optional fields.
 * @param proofs CIDs of the proofs, as text
 * @throws {TypeError} if caveats or facts are not data
 */
export function signedPayload(ucan: UcanContent, proofs: readonly string[]): Uint8Array {
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

/**
 * A value as DAG-JSON: no spaces, sorted keys, bytes and links as maps with the key `/`. Source: IPLD's DAG-JSON specification.
 * @throws {TypeError} if the value is not data, such as undefined or an instance of a class
 */
export function dagJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'number':
      if (Number.isFinite(value)) return String(value);
      break;
    case 'object':
      return objectJson(value);
    default:
  }
  throw new TypeError('not data');
}

function objectJson(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(dagJson).join(',')}]`;
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    return `{"/":{"bytes":"${text.replace(/=+$/, '')}"}}`;
  }
  if (isLink(value)) return `{"/":"${value.toString()}"}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('not data');
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${dagJson(item)}`).join(',')}}`;
}
