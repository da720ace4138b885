/** So many at one time; all others wait in line. */
export class Places {
  readonly #count: number;
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** Whether nobody has a place. */
  get isEmpty(): boolean {
    return this.#free === this.#count;
  }

  /** How many would stand in line before who comes now; undefined where there is a place. */
  get line(): number | undefined {
    return this.#free > 0 ? undefined : this.#waiting.size;
  }

  /** True when there is a place, which `leave` gives back; false when `signal` is aborted before. Never rejects. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const end = (hasPlace: boolean) => {
        this.#waiting.delete(onPlace);
        signal.removeEventListener('abort', onAbort);
        resolve(hasPlace);
      };
      const onPlace = () => end(true);
      const onAbort = () => end(false);
      this.#waiting.add(onPlace);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  leave(): void {
    const next = this.#waiting.values().next();
    // Whoever leaves hands the place on.
    if (next.done === true) this.#free += 1;
    else next.value();
  }
}
