import { Delegation, DID, delegate, Signature } from '@ucanto/core';
import type { Capability, Delegation as Grant, SigAlg, Signer } from '@ucanto/interface';
import { newId } from '../requests/values.js';
import { didOfKey, type SigningKey } from './signing-key.js';

export interface TokenContent {
  /** DID of the audience. */
  readonly audience: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** Capabilities. Default: use of an oracle as the key's owner. */
  readonly capability?: Capability;
  /** Delegations to the key's owner that the capability rests on, each base64 of its CAR. */
  readonly proofs?: readonly string[];
}

const ownUse: Capability = { can: '*', with: 'ixo:oracle' };

/** A UCAN of the key's owner: base64 of its CAR. Rejects where a proof cannot be read. */
export async function writeToken(
  key: SigningKey,
  { audience, expiresAt, capability = ownUse, proofs = [] }: TokenContent,
): Promise<string> {
  const ucan = await delegate({
    issuer: signerOf(key),
    audience: DID.parse(audience),
    capabilities: [capability],
    proofs: await Promise.all(proofs.map(readGrant)),
    expiration: expiresAt,
    nonce: newId(),
  });
  const archive = await ucan.archive();
  if (archive.error !== undefined) throw archive.error;
  return base64Of(archive.ok);
}

function signerOf(key: SigningKey): Signer {
  const did = didOfKey(key.publicKey);
  const signer: Pick<Signer, 'did' | 'toDIDKey' | 'signatureCode' | 'signatureAlgorithm' | 'sign'> = {
    did: () => did,
    toDIDKey: () => did,
    signatureCode: Signature.EdDSA as SigAlg,
    signatureAlgorithm: 'EdDSA',
    sign: async (payload) => Signature.create(Signature.EdDSA, await key.sign(payload)) as never,
  };
  return signer as Signer;
}

async function readGrant(token: string): Promise<Grant> {
  const grant = await Delegation.extract(Uint8Array.from(atob(token), (char) => char.charCodeAt(0)));
  if (grant.error !== undefined) throw grant.error;
  return grant.ok;
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
