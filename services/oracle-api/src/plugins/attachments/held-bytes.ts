/** Counts what files of turns under way take of this process, so that they cannot take all of it. */
export class HeldBytes {
  readonly #limit: number;
  #held = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get bytes(): number {
    return this.#held;
  }

  /** Room for so much, to be given back in one or several parts; false where there is none. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
