import { type ExportedKey, exportedKey, type SigningKey } from './signing-key.js';

/**
 * The key of this origin, generated and stored by the browser. Scripts cannot read it unless it is exportable. Undefined if the
 * browser has no Ed25519 or no database, as in some private windows.
 */
export async function openWebCryptoKey(name: string, isExportable: boolean): Promise<SigningKey | undefined> {
  try {
    const database = new KeyDatabase(name);
    const pair = (await database.load()) ?? (await database.keep(await newPair(isExportable)));
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
    return {
      publicKey,
      sign: async (message) =>
        new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, new Uint8Array(message))),
      exportKey: async () => {
        if (!pair.privateKey.extractable) return undefined;
        // The seed is at the end of the structure: RFC 8410, section 7.
        const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
        return exportedKey(pkcs8.slice(-32), publicKey);
      },
    };
  } catch {
    return undefined;
  }
}

/** Stores a key, replacing the stored one. False if the browser has no Ed25519 or no IndexedDB. */
export async function storeWebCryptoKey(name: string, key: ExportedKey, isExportable: boolean): Promise<boolean> {
  try {
    const { kty, crv, d, x } = key;
    const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', true, ['verify']);
    const privateKey = await crypto.subtle.importKey('jwk', { kty, crv, d, x }, 'Ed25519', isExportable, ['sign']);
    await new KeyDatabase(name).replace({ privateKey, publicKey });
    return true;
  } catch {
    return false;
  }
}

export async function deleteWebCryptoKey(name: string): Promise<void> {
  await new KeyDatabase(name).forget().catch(() => undefined);
}

async function newPair(isExportable: boolean): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey('Ed25519', isExportable, ['sign', 'verify'])) as CryptoKeyPair;
}

const storeName = 'keys';

/** Stores the key pairs of an origin as CryptoKeys, so that a non-extractable key stays unreadable. */
class KeyDatabase {
  readonly #name: string;

  /** @param name of the IndexedDB database. */
  constructor(name: string) {
    this.#name = name;
  }

  async load(): Promise<CryptoKeyPair | undefined> {
    return this.#use('readonly', (keys) => keys.get('pair'));
  }

  /** Stores a pair if there is none and returns the stored one, so that two tabs agree. */
  async keep(pair: CryptoKeyPair): Promise<CryptoKeyPair> {
    await this.#use('readwrite', (keys) => keys.add(pair, 'pair')).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'ConstraintError')) throw error;
    });
    return (await this.load()) ?? pair;
  }

  /** Stores a pair, replacing the stored one. */
  async replace(pair: CryptoKeyPair): Promise<void> {
    await this.#use('readwrite', (keys) => keys.put(pair, 'pair'));
  }

  async forget(): Promise<void> {
    await this.#use('readwrite', (keys) => keys.delete('pair'));
  }

  async #use<Result>(mode: IDBTransactionMode, work: (keys: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
    const opening = indexedDB.open(this.#name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    const database = await settled(opening);
    try {
      return await settled(work(database.transaction(storeName, mode).objectStore(storeName)));
    } finally {
      database.close();
    }
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the key database failed'));
  });
}
