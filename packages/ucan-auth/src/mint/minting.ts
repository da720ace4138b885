import { createHash, randomUUID } from 'node:crypto';
import { signingKeyFromSeed } from '@mlango/crypto/ed25519';
import { CBOR } from '@ucanto/core';
import type { Link } from '@ucanto/interface';
import { blockOf, type NewBlock, writeArchive } from '../decode/archive.js';
import { DEFAULT_LIMITS, type DecodedToken, decodeToken } from '../decode/decode-token.js';
import { type RefusalCode, Refused, refusalOf } from '../decode/refusal.js';
import { signedPayload } from '../decode/signed-payload.js';
import { bytesOfDid, type Capability, readUcan, SIGNATURE_START, type UcanContent } from '../decode/ucan-block.js';
import { didOfKey } from '../dids/did-key.js';
import { abilityText, isUri, REVOKE_ABILITY } from '../policy/capabilities.js';

export type { Capability } from '../decode/ucan-block.js';

/** Signs tokens for one DID. */
export interface UcanSigner {
  /** The issuer of the tokens. */
  readonly did: string;
  /** The did:key of the signing key. */
  readonly keyDid: string;
  /** The 64-byte Ed25519 signature of `message`. */
  sign(message: Uint8Array): Uint8Array;
}

interface MintOptions {
  readonly signer: UcanSigner;
  /** DID of the service that the token is for. */
  readonly audience: string;
  /** Unix seconds; overrides `lifetimeSeconds`. */
  readonly expiresAt?: number;
  /** Lifetime from now. */
  readonly lifetimeSeconds?: number;
  /** Unix seconds. */
  readonly notBefore?: number;
  /** Tokens that grant the capabilities to the signer. */
  readonly proofs?: readonly string[];
  readonly facts?: readonly Readonly<Record<string, unknown>>[];
  /** Default: 22 random characters, so that all tokens differ. */
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
  /** The token to revoke. */
  readonly token: string;
}

/** The options give a token that services refuse, such as one that is too long. */
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

/**
 * Mints an invocation, valid for five minutes by default.
 * @throws {TypeError} if the options do not give a valid token
 */
export function mintInvocation({
  capability = { can: '*', with: 'ixo:oracle' },
  ...options
}: InvocationOptions): Promise<string> {
  return mint([capability], INVOCATION_SECONDS, options);
}

/**
 * Mints a delegation of capabilities, valid for seven days by default.
 * @throws {TypeError} if the options do not give a valid token
 */
export function mintDelegation({ capabilities, ...options }: DelegationOptions): Promise<string> {
  return mint(capabilities, DELEGATION_SECONDS, options);
}

/**
 * Mints a revocation of a token that the signer issued, or that has a proof issued by the signer. A service that records it refuses the
 * revoked token and all tokens with it as a proof.
 * @throws {TypeError} if `token` is not a token
 */
export async function mintRevocation({ token, ...options }: RevocationOptions): Promise<string> {
  const { root } = readProof(token, 'what is to be revoked');
  const until = Number.isFinite(root.expiresAt) ? { exp: root.expiresAt } : {};
  const capability = { can: REVOKE_ABILITY, with: options.signer.did, nb: { ucan: root.cid, ...until } };
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
      issuer: checkDid(options.signer.did),
      audience: checkDid(options.audience),
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

/** Fails early for a token that services would refuse to decode. Without proofs, reading the UCAN alone takes a third of the time. */
function checkReadable(token: string, root: NewBlock, proofs: readonly DecodedToken[]): void {
  if (proofs.length > 0) {
    const decoding = decodeToken(token);
    if (!decoding.ok) throw new UnreadableTokenError(decoding.code);
    return;
  }
  try {
    if (token.length > DEFAULT_LIMITS.characters) throw new Refused('too_large');
    readUcan(root, DEFAULT_LIMITS);
  } catch (thrown) {
    throw new UnreadableTokenError(refusalOf(thrown));
  }
}

function readProof(token: string, name = 'a proof'): DecodedToken {
  const decoding = decodeToken(token);
  if (!decoding.ok) throw new TypeError(`${name} is not a token: ${decoding.code}`);
  return decoding.token;
}

/** An invalid time must not give a token without expiry. */
function checkExpiry(seconds: number): number {
  if (Number.isSafeInteger(seconds) || seconds === Number.POSITIVE_INFINITY) return seconds;
  throw new TypeError('an expiry is a whole number of Unix seconds');
}

function checkDid(did: string): string {
  if (!/^did:[^:]+:./.test(did)) throw new TypeError('not a DID');
  return did;
}

/** Abilities in tokens are lower case. */
function checkCapability({ can, with: resource, nb }: Capability): Capability {
  if (!isUri(resource)) throw new TypeError('not a resource');
  const ability = abilityText(can).toLowerCase();
  return nb === undefined ? { can: ability, with: resource } : { can: ability, with: resource, nb };
}

/** 122 random bits. `randomUUID` uses Node's entropy cache and is many times faster than `randomBytes`. */
function newNonce(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}

/**
 * Signs a UCAN and encodes it as the block that `readUcan` accepts: empty optional fields are absent.
 * @throws {TypeError} if caveats or facts are not data
 */
function writeUcan(content: UcanContent, proofs: readonly Link[], signer: UcanSigner): NewBlock {
  const { capabilities, expiresAt, facts, nonce, notBefore } = content;
  const payload = signedPayload(
    content,
    proofs.map((proof) => proof.toString()),
  );
  return blockOf(
    CBOR.encode({
      s: Buffer.concat([SIGNATURE_START, signer.sign(payload)]),
      v: '0.9.1',
      att: capabilities,
      aud: bytesOfDid(content.audience),
      exp: Number.isFinite(expiresAt) ? expiresAt : null,
      iss: bytesOfDid(content.issuer),
      prf: proofs,
      ...(facts.length === 0 ? {} : { fct: facts }),
      ...(notBefore === 0 ? {} : { nbf: notBefore }),
      ...(nonce === '' ? {} : { nnc: nonce }),
    }),
  );
}

const HEX_SEED = /^[0-9a-fA-F]{64}$/;

/**
 * The signer of a 32-byte seed.
 * @param seed bytes, or 64 hex characters
 * @param did the issuer, if it is not the did:key of the key: for example a did:ixo with the key in its document
 * @throws {RangeError} if the seed has another form
 */
export function signerFromSeed(seed: Uint8Array | string, did?: string): UcanSigner {
  if (typeof seed === 'string' && !HEX_SEED.test(seed))
    throw new RangeError('a seed is 32 bytes, or 64 hex characters');
  const key = signingKeyFromSeed(typeof seed === 'string' ? Buffer.from(seed, 'hex') : seed);
  const keyDid = didOfKey(key.publicKey);
  return { did: did ?? keyDid, keyDid, sign: (message) => key.sign(message) };
}

/** The signer of a mnemonic. The seed is the SHA-256 of the trimmed words. */
export function signerFromMnemonic(words: string, did?: string): UcanSigner {
  return signerFromSeed(createHash('sha256').update(words.trim(), 'utf8').digest(), did);
}
