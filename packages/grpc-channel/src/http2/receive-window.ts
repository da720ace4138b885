/** Counts what may come, and says when the other side is to be told that it may send more. */
export class ReceiveWindow {
  readonly #sizeBytes: number;
  #left: number;
  #credit = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#left = sizeBytes;
  }

  /** False when more came than was allowed. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Room for that much again. Gives the size of the update to send, 0 while it is not worth one. */
  give(bytes: number): number {
    this.#credit += bytes;
    if (this.#credit * 2 < this.#sizeBytes) return 0;
    const update = this.#credit;
    this.#left += update;
    this.#credit = 0;
    return update;
  }
}
