import { openStoredSeedKey, type SeedStorage } from './identity/stored-seed-key.js';
import { forgetWebCryptoKey, openWebCryptoKey } from './identity/web-crypto-key.js';
import { didOfKey, type TokenContent, writeToken } from './identity/write-token.js';
import type { IWallet, SignArtifact } from './provider/wallet.js';

export interface BrowserIdentityOptions {
  /** Under which the key is kept; each name is a user of its own. Default `mlango-identity`. */
  readonly name?: string;
  /** Where a seed is kept if the browser cannot keep a key. Default: the origin's local storage. */
  readonly storage?: SeedStorage;
  /** Default: the system's clock. */
  readonly nowMs?: () => number;
}

/** A delegation of `oracle/converse` on somebody's DID to this user. */
export interface ConverseGrant {
  /** Of whoever granted it. */
  readonly did: string;
  /** Base64 of its CAR. */
  readonly delegation: string;
}

/** What `OraclesProvider` wants to know of a user. */
export type ProvidedUser = Pick<BrowserIdentity, 'wallet' | 'createInvocation' | 'createDelegation'>;

/** A user who is known by a key of this browser: what `OraclesProvider` wants to know. */
export interface BrowserIdentity {
  /** A did:key. */
  readonly did: string;
  /** The same: this user has no account on a chain. */
  readonly address: string;
  /** For `initialWallet`; without a session at a Matrix homeserver. */
  readonly wallet: IWallet;
  /** Good for five minutes. */
  readonly createInvocation: SignArtifact;
  /** Good for a week. */
  readonly createDelegation: SignArtifact;
  /**
   * This user in the place of somebody who lets them converse: lists, reads, follows and goes on with that one's sessions, and may do
   * nothing else in their name.
   */
  actFor(grant: ConverseGrant): ProvidedUser;
  /** Deletes the key. Whoever opens the identity next is somebody else. */
  forget(): Promise<void>;
}

const invocationSeconds = 300;
const delegationSeconds = 7 * 86_400;

/**
 * The user that this browser is, made at the first time. The key is kept where no script can read it, if the browser can
 * do that; else its seed is kept in local storage. Works in secure contexts: HTTPS, or localhost.
 */
export async function openBrowserIdentity(options: BrowserIdentityOptions = {}): Promise<BrowserIdentity> {
  const { name = 'mlango-identity', nowMs = Date.now } = options;
  const storage = () => options.storage ?? localStorage;
  const key = (await openWebCryptoKey(name)) ?? (await openStoredSeedKey(storage(), name));
  const did = didOfKey(key.publicKey);
  const artifact = (lifetimeSeconds: number, what: Pick<TokenContent, 'capability' | 'proofs'> = {}): SignArtifact => {
    return async (audience) => {
      const expiresAt = Math.floor(nowMs() / 1_000) + lifetimeSeconds;
      return { serialized: await writeToken(key, { ...what, audience, expiresAt }), expiresAt: expiresAt * 1_000 };
    };
  };
  const matrix = { accessToken: '', homeServer: '' };
  const createDelegation = artifact(delegationSeconds);
  return {
    did,
    address: did,
    wallet: { address: did, did, matrix },
    createInvocation: artifact(invocationSeconds),
    createDelegation,
    actFor: ({ did: owner, delegation }) => ({
      wallet: { address: owner, did: owner, actor: did, matrix },
      createInvocation: artifact(invocationSeconds, {
        capability: { can: 'oracle/converse', with: owner as `did:${string}:${string}` },
        proofs: [delegation],
      }),
      // The actor's own: beside such an invocation it grants nothing.
      createDelegation,
    }),
    forget: async () => {
      await forgetWebCryptoKey(name);
      storage().removeItem(name);
    },
  };
}
