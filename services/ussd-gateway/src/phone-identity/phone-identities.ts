import { hkdfSha256 } from '@mlango/crypto/hashing';
import type { Keyring } from '@mlango/crypto/keyring';
import { needsReseal, open, seal } from '@mlango/crypto/sealing';
import { converseAbility } from '@mlango/schemas/oracle-delegation';
import { decodeToken } from '@mlango/ucan-auth/decode-token';
import {
  mintDelegation,
  mintInvocation,
  mintRevocation,
  signerFromSeed,
  type UcanSigner,
} from '@mlango/ucan-auth/minting';
import { type DelegationKind, delegationDays } from './schema.js';
import type {
  PhoneIdentity,
  PhoneIdentityStore,
  SealedDelegation,
  SealedIdentity,
} from './sql-phone-identity-store.js';

export interface PhoneIdentitiesOptions {
  readonly store: Pick<PhoneIdentityStore, 'find' | 'save' | 'setGrant'>;
  /** The keyring of the PIN vault: identities are sealed and rotated as PINs are. */
  readonly keyring: Keyring;
  /** The audience of tokens. */
  readonly oracleDid: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Grants of this gateway are renewed this long before they expire. */
const grantSeconds = delegationDays.grant * 86_400;
const renewBeforeSeconds = 86_400;

/** Lifetime of a link with a person. */
const linkSeconds = delegationDays.link * 86_400;

const purposes = { seed: 'ussd phone seed', grant: 'ussd phone grant', link: 'ussd phone link' } as const;

/**
 * Identities of phones at the oracle. Each phone has a key, which this gateway stores sealed and uses only for actions of the phone
 * itself; for conversations the gateway uses its own DID, by a grant of the phone. No token contains the number.
 */
export class PhoneIdentities {
  readonly #options: PhoneIdentitiesOptions;
  /** The gateway, in all its processes. */
  readonly #gateway: UcanSigner;

  constructor(options: PhoneIdentitiesOptions) {
    this.#options = options;
    const { bytes } = options.keyring.active;
    this.#gateway = signerFromSeed(hkdfSha256(bytes, Buffer.alloc(0), 'mlango ussd gateway did v1', 32));
  }

  /** The DID of this gateway. */
  get gatewayDid(): string {
    return this.#gateway.did;
  }

  /** The identity of a phone; created if it has none. */
  async of(phone: string): Promise<PhoneIdentity> {
    const { store, randomBytes } = this.#options;
    const known = await store.find(phone);
    if (known !== undefined) return known;
    const seed = randomBytes(32);
    const signer = signerFromSeed(seed);
    const { did } = signer;
    const sealedGrant = await this.#grantOf(signer);
    return store.save({ phone, did, sealedSeed: this.#seal('seed', did, seed), sealedGrant });
  }

  /** A token for this gateway to converse for a phone. */
  async toConverse(identity: PhoneIdentity): Promise<string> {
    const { did } = identity;
    const capability = { can: converseAbility, with: did };
    const proofs = [await this.#currentGrant(identity)];
    return mintInvocation({ signer: this.#gateway, audience: this.#options.oracleDid, capability, proofs });
  }

  /** A token of the phone itself, for actions that are not granted. */
  async toAct(identity: PhoneIdentity): Promise<string> {
    return mintInvocation({ signer: this.#signerOf(identity), audience: this.#options.oracleDid });
  }

  /** A delegation for a person to converse for a phone, plain and sealed. */
  async link(identity: PhoneIdentity, personDid: string): Promise<{ readonly token: string; readonly sealed: string }> {
    const token = await this.#delegate(this.#signerOf(identity), personDid, linkSeconds);
    return { token, sealed: this.#seal('link', identity.did, token) };
  }

  /** A token of the phone itself to revoke a delegation. */
  async toUnlink(identity: PhoneIdentity, sealed: string, kind: DelegationKind = 'link'): Promise<string> {
    const token = this.#open(kind, identity.did, sealed).toString('utf8');
    return mintRevocation({ signer: this.#signerOf(identity), audience: this.#options.oracleDid, token });
  }

  /**
   * The identity under the current key; undefined if it is already. @throws {Error} if a part does not open.
   */
  reseal(identity: SealedIdentity): SealedIdentity | undefined {
    const { did, sealedSeed, sealedGrant, sealedLink } = identity;
    const { keyring } = this.#options;
    const all = [sealedSeed, sealedGrant, ...(sealedLink === undefined ? [] : [sealedLink])];
    if (!all.some((sealed) => needsReseal(sealed, keyring))) return undefined;
    const fresh = (what: keyof typeof purposes, sealed: string) => this.#seal(what, did, this.#open(what, did, sealed));
    return {
      ...identity,
      sealedSeed: fresh('seed', sealedSeed),
      sealedGrant: fresh('grant', sealedGrant),
      sealedLink: sealedLink === undefined ? undefined : fresh('link', sealedLink),
    };
  }

  /**
   * A delegation under the current key; undefined if it is already. @throws {Error} if it does not open.
   */
  resealDelegation({ kind, did, sealedToken }: SealedDelegation): string | undefined {
    if (!needsReseal(sealedToken, this.#options.keyring)) return undefined;
    return this.#seal(kind, did, this.#open(kind, did, sealedToken));
  }

  async #currentGrant(identity: PhoneIdentity): Promise<string> {
    const { phone, did, sealedGrant } = identity;
    const grant = this.#open('grant', did, sealedGrant).toString('utf8');
    const decoded = decodeToken(grant);
    const root = decoded.ok ? decoded.token.root : undefined;
    const isGood = root !== undefined && root.expiresAt - renewBeforeSeconds > Date.now() / 1000;
    // After a rotation of the keys the gateway has another DID.
    if (isGood && root.audience === this.#gateway.did) return grant;
    const renewed = await this.#grantOf(this.#signerOf(identity));
    await this.#options.store.setGrant(phone, renewed);
    return this.#open('grant', did, renewed).toString('utf8');
  }

  async #grantOf(signer: UcanSigner): Promise<string> {
    return this.#seal('grant', signer.did, await this.#delegate(signer, this.#gateway.did, grantSeconds));
  }

  #delegate(signer: UcanSigner, audience: string, lifetimeSeconds: number): Promise<string> {
    const capability = { can: converseAbility, with: signer.did };
    return mintDelegation({ signer, audience, lifetimeSeconds, capabilities: [capability] });
  }

  #signerOf({ did, sealedSeed }: PhoneIdentity): UcanSigner {
    return signerFromSeed(this.#open('seed', did, sealedSeed));
  }

  #seal(what: keyof typeof purposes, owner: string, plain: string | Uint8Array): string {
    return seal(plain, this.#options.keyring, { purpose: purposes[what], owner });
  }

  #open(what: keyof typeof purposes, owner: string, sealed: string): Buffer {
    const opened = open(sealed, this.#options.keyring, { purpose: purposes[what], owner });
    if (!opened.ok) throw new Error(`the ${what} of a phone identity does not open: ${opened.code}`);
    return opened.plaintext;
  }
}
