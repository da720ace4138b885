interface Entry<V> {
  readonly value: V;
  readonly sizeBytes: number;
}

/** A map with a maximum size in bytes that evicts the least recently used values. */
export class ByteLru<V> {
  readonly #limitBytes: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<V>>();
  #newest: string | undefined;
  #totalBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.#newest = key;
    }
    return entry.value;
  }

  /** Replaces the value of a key. A value above the limit is not stored. */
  set(key: string, value: V, sizeBytes: number): void {
    this.delete(key);
    if (sizeBytes > this.#limitBytes) return;
    this.#entries.set(key, { value, sizeBytes });
    this.#newest = key;
    this.#totalBytes += sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#totalBytes <= this.#limitBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
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
