/** How many are forgotten at least before their map is. */
const FEWEST_FORGOTTEN = 256;

/**
 * Values that are there for a moment, by key. A map that forgets makes itself a new table now and then, to which the old one points; one old
 * table that waits to be collected then keeps all those after it, with what they held. So a map is put in its place before there are many.
 */
export class PassingEntries<V> {
  #entries = new Map<string, V>();
  #forgotten = 0;

  find(key: string): V | undefined {
    return this.#entries.get(key);
  }

  add(key: string, value: V): void {
    this.#entries.set(key, value);
  }

  forget(key: string): void {
    this.#entries.delete(key);
    this.#forgotten += 1;
    if (this.#forgotten < Math.max(FEWEST_FORGOTTEN, this.#entries.size)) return;
    this.#entries = new Map(this.#entries);
    this.#forgotten = 0;
  }
}
