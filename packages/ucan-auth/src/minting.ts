import { randomBytes } from 'node:crypto';
import { Signature, UCAN } from '@ucanto/core';
import type * as API from '@ucanto/interface';
import { writeArchive } from './car-blocks.js';
import { type DecodedToken, decodeToken } from './decode-token.js';
import type { RefusalCode } from './refusal.js';
import { REVOKE } from './revocation.js';
import type { UcanSigner } from './signer.js';
import type { Capability } from './ucan-block.js';
import { didText, toUcantoCapability } from './ucanto-names.js';

export { signerFromMnemonic, signerFromSeed, type UcanSigner } from './signer.js';
export type { Capability } from './ucan-block.js';

interface MintOptions {
  readonly signer: UcanSigner;
  /** DID of whoever the token is for. */
  readonly audience: string;
  /** Unix seconds; wins over the lifetime. */
  readonly expiresAt?: number;
  /** Counted from now. */
  readonly lifetimeSeconds?: number;
  /** Unix seconds. */
  readonly notBefore?: number;
  /** Tokens that grant the capabilities to the signer. */
  readonly proofs?: readonly string[];
  readonly facts?: readonly Readonly<Record<string, unknown>>[];
  /** Default: 16 random characters, so that no two tokens are the same. */
  readonly nonce?: string;
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

export interface InvocationOptions extends MintOptions {
  /** Default `*` on `ixo:oracle`: the use of an oracle. */
  readonly capability?: Capability;
}

export interface DelegationOptions extends MintOptions {
  /** At least one. */
  readonly capabilities: readonly [Capability, ...Capability[]];
}

export interface RevocationOptions extends Omit<MintOptions, 'proofs'> {
  /** The token to take back. */
  readonly token: string;
}

/** The options make a token that no service would read, such as one that is too long. */
export class UnreadableTokenError extends TypeError {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(`the token would be refused: ${code}`);
    this.name = 'UnreadableTokenError';
    this.code = code;
  }
}

const INVOCATION_SECONDS = 300;
const DELEGATION_SECONDS = 7 * 86_400;

/** A token to speak with, good for five minutes unless told otherwise. Rejects when the options make no valid token. */
export function mintInvocation({
  capability = { can: '*', with: 'ixo:oracle' },
  ...options
}: InvocationOptions): Promise<string> {
  return mint([capability], INVOCATION_SECONDS, options);
}

/** A token that grants capabilities, for a week unless told otherwise. Rejects when the options make no valid token. */
export function mintDelegation({ capabilities, ...options }: DelegationOptions): Promise<string> {
  return mint(capabilities, DELEGATION_SECONDS, options);
}

/**
 * A token by which the signer takes back a token: one that it issued, or one that rests on such. Whatever rests on it is
 * refused from then on by every service that records the revocation. Rejects when `token` is none.
 */
export async function mintRevocation({ token, ...options }: RevocationOptions): Promise<string> {
  const { root } = readProof(token, 'what is to be revoked');
  const until = Number.isFinite(root.expiresAt) ? { exp: root.expiresAt } : {};
  const capability = { can: REVOKE, with: options.signer.did, nb: { ucan: root.cid, ...until } };
  return mint([capability], INVOCATION_SECONDS, options);
}

async function mint(
  [first, ...rest]: readonly [Capability, ...Capability[]],
  defaultLifetimeSeconds: number,
  options: MintOptions,
): Promise<string> {
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const proofs = (options.proofs ?? []).map((proof) => readProof(proof));
  const view = await UCAN.issue({
    issuer: issuerOf(options.signer),
    audience: { did: () => didText(options.audience) },
    capabilities: [toUcantoCapability(first), ...rest.map(toUcantoCapability)],
    expiration: options.expiresAt ?? now() + (options.lifetimeSeconds ?? defaultLifetimeSeconds),
    nonce: options.nonce ?? randomBytes(12).toString('base64url'),
    proofs: proofs.map((proof) => proof.root.cid),
    facts: (options.facts ?? []).map((fact) => ({ ...fact })),
    ...(options.notBefore === undefined ? {} : { notBefore: options.notBefore }),
  });
  const blocks = new Map(proofs.flatMap((proof) => proof.ucans.map((ucan) => [ucan.cid.toString(), ucan])));
  const token = Buffer.from(writeArchive(await UCAN.write(view), blocks.values())).toString('base64');
  // Whatever a service would not read is better refused here than there.
  const decoding = decodeToken(token);
  if (!decoding.ok) throw new UnreadableTokenError(decoding.code);
  return token;
}

function readProof(token: string, name = 'a proof'): DecodedToken {
  const decoding = decodeToken(token);
  if (!decoding.ok) throw new TypeError(`${name} is not a token: ${decoding.code}`);
  return decoding.token;
}

function issuerOf(signer: UcanSigner): API.UCAN.Signer {
  return {
    did: () => didText(signer.did),
    signatureCode: Signature.EdDSA,
    signatureAlgorithm: 'EdDSA',
    sign: (payload) => Signature.create(Signature.EdDSA, signer.sign(payload)),
  };
}
