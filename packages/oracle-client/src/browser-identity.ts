import { openStoredSeedKey, type SeedStorage, storeSeed } from './api/identity/seed-key.js';
import { didOfKey, type ExportedKey, exportedKey, readExportedKey } from './api/identity/signing-key.js';
import type { IWallet, SignArtifact } from './api/identity/wallet.js';
import { deleteWebCryptoKey, openWebCryptoKey, storeWebCryptoKey } from './api/identity/web-crypto-key.js';
import type { TokenContent } from './api/identity/write-token.js';

export type { ExportedKey } from './api/identity/signing-key.js';

export interface BrowserIdentityOptions {
  /** Storage name of the key; each name is a separate user. Default `mlango-identity`. */
  readonly name?: string;
  /**
   * Whether a new key can be exported. Any script of the page can then export it too.
   * Default false; an existing key is not changed.
   */
  readonly isExportable?: boolean;
  /** Storage of the seed if the browser cannot store a key. Default: the origin's local storage. */
  readonly storage?: SeedStorage;
  /** Default: the system's clock. */
  readonly nowMs?: () => number;
}

/** A delegation of `oracle/converse` on another user's DID to this user. */
export interface ConverseGrant {
  /** DID of the granting user. */
  readonly did: string;
  /** Base64 of its CAR. */
  readonly delegation: string;
}

/** The properties of a user for `OraclesProvider`. */
export type ProvidedUser = Pick<BrowserIdentity, 'wallet' | 'createInvocation' | 'createDelegation'>;

/** A user identified by a key of this browser, as `OraclesProvider` expects it. */
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
   * This user acting for another user who granted `oracle/converse`: lists, reads and continues that user's sessions, and may do
   * nothing else in their name.
   */
  actFor(grant: ConverseGrant): ProvidedUser;
  /** The key, for another browser; undefined if it is not exportable. Anyone with the key is this user. */
  exportKey(): Promise<ExportedKey | undefined>;
  /** Deletes the key. The next identity is a new user. */
  forget(): Promise<void>;
}

const tokenWriter = () => import('./api/identity/write-token.js');

const defaultName = 'mlango-identity';
const invocationSeconds = 300;
const delegationSeconds = 7 * 86_400;

/**
 * The user of this browser, created at the first call. The key is stored where no script can read it, if the browser supports
 * that; else its seed is in local storage. Requires a secure context: HTTPS or localhost.
 */
export async function openBrowserIdentity(options: BrowserIdentityOptions = {}): Promise<BrowserIdentity> {
  const { name = defaultName, isExportable = false, nowMs = Date.now } = options;
  const storage = () => options.storage ?? localStorage;
  // Preloads the token writer for the first request. A failure is retried on use.
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
      // The actor's own delegation: it grants nothing in addition to such an invocation.
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
 * Imports a key of another browser. It replaces the key of this browser.
 * Rejects for an invalid key and keeps the stored one.
 */
export async function importBrowserIdentity(exported: unknown, options: BrowserIdentityOptions = {}): Promise<void> {
  const { name = defaultName, isExportable = false } = options;
  const storage = options.storage ?? localStorage;
  const { seed, publicKey } = readExportedKey(exported);
  const { getPublicKeyAsync } = await import('@noble/ed25519');
  const own = await getPublicKeyAsync(seed);
  if (own.some((byte, at) => byte !== publicKey[at]))
    throw new Error('The two halves of this key do not belong together');
  if (await storeWebCryptoKey(name, exportedKey(seed, publicKey), isExportable)) storage.removeItem(name);
  else storeSeed(storage, name, seed);
}
