import { openStoredSeedKey, type SeedStorage, storeSeed } from './api/identity/seed-key.js';
import { didOfKey, type ExportedKey, exportedKey, readExportedKey } from './api/identity/signing-key.js';
import type { IWallet, SignArtifact } from './api/identity/wallet.js';
import { deleteWebCryptoKey, openWebCryptoKey, storeWebCryptoKey } from './api/identity/web-crypto-key.js';
import type { TokenContent } from './api/identity/write-token.js';

export type { ExportedKey } from './api/identity/signing-key.js';

export interface BrowserIdentityOptions {
  /** Under which the key is kept; each name is a user of its own. Default `mlango-identity`. */
  readonly name?: string;
  /**
   * Whether a key that is made now can be taken to another browser. Whoever can run a script in the page can then take it too.
   * Default false; a key that is there stays as it was made.
   */
  readonly isExportable?: boolean;
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
  /** The key, to be taken to another browser; undefined where it was made for this one alone. Whoever has it is this user. */
  exportKey(): Promise<ExportedKey | undefined>;
  /** Deletes the key. Whoever opens the identity next is somebody else. */
  forget(): Promise<void>;
}

const tokenWriter = () => import('./api/identity/write-token.js');

const defaultName = 'mlango-identity';
const invocationSeconds = 300;
const delegationSeconds = 7 * 86_400;

/**
 * The user that this browser is, made at the first time. The key is kept where no script can read it, if the browser can
 * do that; else its seed is kept in local storage. Works in secure contexts: HTTPS, or localhost.
 */
export async function openBrowserIdentity(options: BrowserIdentityOptions = {}): Promise<BrowserIdentity> {
  const { name = defaultName, isExportable = false, nowMs = Date.now } = options;
  const storage = () => options.storage ?? localStorage;
  // The first token is asked for soon, and a page need not wait for what writes it. What fails now is tried again then.
  tokenWriter().catch(() => undefined);
  const key = (await openWebCryptoKey(name, isExportable)) ?? (await openStoredSeedKey(storage(), name));
  const did = didOfKey(key.publicKey);
  const artifact = (lifetimeSeconds: number, what: Pick<TokenContent, 'capability' | 'proofs'> = {}): SignArtifact => {
    return async (audience) => {
      const { writeToken } = await tokenWriter();
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
    exportKey: () => key.exportKey(),
    forget: async () => {
      await deleteWebCryptoKey(name);
      storage().removeItem(name);
    },
  };
}

/**
 * Keeps a key of another browser here: whoever opens the identity next is its user. The key that was here is gone.
 * Rejects for what is no key, and leaves what is there.
 */
export async function importBrowserIdentity(given: unknown, options: BrowserIdentityOptions = {}): Promise<void> {
  const { name = defaultName, isExportable = false } = options;
  const storage = options.storage ?? localStorage;
  const { seed, publicKey } = readExportedKey(given);
  const { getPublicKeyAsync } = await import('@noble/ed25519');
  const own = await getPublicKeyAsync(seed);
  if (own.some((byte, at) => byte !== publicKey[at]))
    throw new Error('The two halves of this key do not belong together');
  if (await storeWebCryptoKey(name, exportedKey(seed, publicKey), isExportable)) storage.removeItem(name);
  else storeSeed(storage, name, seed);
}
