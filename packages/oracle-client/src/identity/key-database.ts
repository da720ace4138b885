const storeName = 'keys';

/** Keeps the key pairs of a page's origin. A key that may not be extracted is kept as what it is: nobody reads its bytes. */
export class KeyDatabase {
  readonly #name: string;

  /** @param name of the IndexedDB database. */
  constructor(name: string) {
    this.#name = name;
  }

  async load(): Promise<CryptoKeyPair | undefined> {
    return this.#use('readonly', (keys) => keys.get('pair'));
  }

  /** Keeps a pair unless there is one, and gives the one that is kept: of two tabs that begin at once, one wins. */
  async keep(pair: CryptoKeyPair): Promise<CryptoKeyPair> {
    await this.#use('readwrite', (keys) => keys.add(pair, 'pair')).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'ConstraintError')) throw error;
    });
    return (await this.load()) ?? pair;
  }

  /** Keeps a pair in the place of what is there. */
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
