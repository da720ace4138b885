import type { ServerResponse } from 'node:http';

/** Replies up to this fit what a connection buffers anyway, and there are no more of them than connections. */
const SMALL_BYTES = 16 * 1024;

/** The bytes of replies that were made and are not with their readers yet, all together. */
export class BytesInFlight {
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a reply until its connection is done with it. False when there is no room; one alone always has. */
  hold(response: ServerResponse, bytes: number): boolean {
    if (bytes <= SMALL_BYTES) return true;
    if (!this.#take(bytes)) return false;
    response.once('close', () => {
      this.#bytes -= bytes;
    });
    return true;
  }

  /** The parts of a reply, each counted until the next one is asked for. @throws {Error} where there is no room */
  async *holdEach(parts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const part of parts) {
      if (!this.#take(part.length)) throw new Error('too many bytes of replies wait for their readers');
      try {
        yield part;
      } finally {
        this.#bytes -= part.length;
      }
    }
  }

  #take(bytes: number): boolean {
    if (this.#bytes > 0 && this.#bytes + bytes > this.#limitBytes) return false;
    this.#bytes += bytes;
    return true;
  }
}
