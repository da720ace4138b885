import type { Duplex } from 'node:stream';

/** More than this waiting to be read by the other side means that it does not read at all. */
const LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Collects what is to be sent and hands it to the socket once per turn of the event loop: many calls that start
 * together cost one write.
 */
export class Outbox {
  readonly #socket: Duplex;
  readonly #send = (): void => this.flush();
  #frames: Uint8Array[] = [];

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** True when the other side has stopped reading. */
  get isStuck(): boolean {
    return this.#socket.writableLength > LIMIT_BYTES;
  }

  push(frame: Uint8Array): void {
    if (this.#frames.length === 0) setImmediate(this.#send);
    this.#frames.push(frame);
  }

  flush(): void {
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    const [first] = frames;
    if (this.#socket.writable) this.#socket.write(frames.length === 1 && first ? first : Buffer.concat(frames));
  }
}
