import type { FairSemaphore } from '@mlango/service-kit/async';

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

/** Bytes of replies on their way, from nodes and to readers; those that wait for readers have a share for each address too. */
export class ReplyBytes extends ByteBudget {
  readonly readers: FairSemaphore<'address'>;

  constructor(readers: FairSemaphore<'address'>) {
    super(readers.total);
    this.readers = readers;
  }
}
