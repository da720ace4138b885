interface Entry<V> {
  readonly value: V;
  readonly sizeBytes: number;
}

/** Values by key, within a number of bytes: those that were used least lately go first. */
export class ByteLru<V> {
  readonly #limitBytes: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<V>>();
  #newest: string | undefined;
  #totalBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  find(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#newest = key;
    }
    return entry.value;
  }

  /** Keeps a value in place of the one before; what is larger than all may be is not kept. */
  keep(key: string, value: V, sizeBytes: number): void {
    this.drop(key);
    if (sizeBytes > this.#limitBytes) return;
    this.#entries.set(key, { value, sizeBytes });
    this.#newest = key;
    this.#totalBytes += sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#totalBytes <= this.#limitBytes) break;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#totalBytes -= entry.sizeBytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#newest = undefined;
    this.#totalBytes = 0;
  }
}
