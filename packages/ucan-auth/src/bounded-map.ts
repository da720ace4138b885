/**
 * A map of at most `limit` entries (but always two) that forgets what has not been used lately. It keeps two generations: when
 * the younger one has half of the entries it becomes the older one, and what was in that is forgotten. Whatever is used
 * moves to the younger one, so using an entry again and again costs one look-up, and nothing in the map is moved for it.
 */
export class BoundedMap<Key, Value> {
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  readonly #half: number;

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    this.#older.delete(key);
    if (this.#younger.size >= this.#half && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }

  delete(key: Key): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }

  /** Forgets each entry for which `matches` holds. */
  deleteWhere(matches: (value: Value, key: Key) => boolean): void {
    for (const generation of [this.#younger, this.#older]) {
      for (const [key, value] of generation) {
        if (matches(value, key)) generation.delete(key);
      }
    }
  }
}
