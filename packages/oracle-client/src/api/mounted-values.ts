/**
 * Values of mounted components under a name, as last rendered. Of several with one name the last mounted one counts, until it is
 * unmounted.
 */
export class MountedValues<Value> {
  readonly #offers = new Map<string, readonly (() => Value)[]>();
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  /** Registers `latest` as a source; the returned function removes it. */
  add(name: string, latest: () => Value): () => void {
    const offer = () => latest();
    this.#set(name, [...(this.#offers.get(name) ?? []), offer]);
    return () =>
      this.#set(
        name,
        (this.#offers.get(name) ?? []).filter((each) => each !== offer),
      );
  }

  find(name: string): Value | undefined {
    return this.#offers.get(name)?.at(-1)?.();
  }

  list(): Value[] {
    return [...this.#offers.values()].flatMap((offers) => {
      const last = offers.at(-1);
      return last === undefined ? [] : [last()];
    });
  }

  /** Notifies listeners of a name that its value changed. */
  changed(name: string): void {
    this.#versions.set(name, this.version(name) + 1);
    for (const listener of this.#listeners) listener();
  }

  /** A number that is another after each change of a name. */
  version(name: string): number {
    return this.#versions.get(name) ?? 0;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(name: string, offers: readonly (() => Value)[]): void {
    if (offers.length === 0) this.#offers.delete(name);
    else this.#offers.set(name, offers);
    this.changed(name);
  }
}
