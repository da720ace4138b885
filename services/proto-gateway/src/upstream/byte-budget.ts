/** Bytes that may be held at the same time, by whoever holds some. */
export class ByteBudget {
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Those that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False when there is no room. Whoever is alone always has room, so that nothing is too large for ever. */
  take(bytes: number): boolean {
    if (this.#bytes > 0 && this.#bytes + bytes > this.#limitBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
