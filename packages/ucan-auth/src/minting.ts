import { randomUUID } from 'node:crypto';
import { type NewBlock, writeArchive } from './car-blocks.js';
import { type DecodedToken, decodeToken } from './decode-token.js';
import { DEFAULT_LIMITS } from './limits.js';
import { REVOKE } from './read-revocation.js';
import { type RefusalCode, Refused, refusalOf } from './refusal.js';
import type { UcanSigner } from './signer.js';
import { type Capability, readUcan } from './ucan-block.js';
import { abilityText, didText, isUri } from './ucanto-names.js';
import { writeUcan } from './write-ucan.js';

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
  /** Default: 22 random characters, so that no two tokens are the same. */
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
  capabilities: readonly [Capability, ...Capability[]],
  defaultLifetimeSeconds: number,
  options: MintOptions,
): Promise<string> {
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const proofs = (options.proofs ?? []).map((proof) => readProof(proof));
  const root = writeUcan(
    {
      issuer: didText(options.signer.did),
      audience: didText(options.audience),
      capabilities: capabilities.map(checkCapability),
      expiresAt: checkExpiry(options.expiresAt ?? now() + (options.lifetimeSeconds ?? defaultLifetimeSeconds)),
      notBefore: options.notBefore ?? 0,
      nonce: options.nonce ?? newNonce(),
      facts: options.facts ?? [],
    },
    proofs.map((proof) => proof.root.cid),
    options.signer,
  );
  const blocks = new Map(proofs.flatMap((proof) => proof.ucans.map((ucan) => [ucan.cid.toString(), ucan])));
  const token = writeArchive(root, blocks.values()).toString('base64');
  checkReadable(token, root, proofs);
  return token;
}

/** Whatever a service would not read is better refused here than there. */
function checkReadable(token: string, root: NewBlock, proofs: readonly DecodedToken[]): void {
  try {
    if (token.length > DEFAULT_LIMITS.characters) throw new Refused('too_large');
    readUcan(root, DEFAULT_LIMITS);
  } catch (thrown) {
    throw new UnreadableTokenError(refusalOf(thrown));
  }
  // The archive of one UCAN was written here; that of several can be too much as a whole.
  if (proofs.length === 0) return;
  const decoding = decodeToken(token);
  if (!decoding.ok) throw new UnreadableTokenError(decoding.code);
}

function readProof(token: string, name = 'a proof'): DecodedToken {
  const decoding = decodeToken(token);
  if (!decoding.ok) throw new TypeError(`${name} is not a token: ${decoding.code}`);
  return decoding.token;
}

/** What is no time must not become a token without end. */
function checkExpiry(seconds: number): number {
  if (Number.isSafeInteger(seconds) || seconds === Number.POSITIVE_INFINITY) return seconds;
  throw new TypeError('an expiry is a whole number of Unix seconds');
}

/** Abilities are lower case in a token. */
function checkCapability({ can, with: resource, nb }: Capability): Capability {
  if (!isUri(resource)) throw new TypeError('not a resource');
  const ability = abilityText(can).toLowerCase();
  return nb === undefined ? { can: ability, with: resource } : { can: ability, with: resource, nb };
}

/** 122 random bits. Node keeps a stock of them for this, which bare random bytes do without, at many times the cost. */
function newNonce(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}
