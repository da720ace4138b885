import type { Duplex } from 'node:stream';
import { FRAME_HEADER_BYTES, fillFrameHeader } from './frames.js';

/** More than this waiting to be read by the other side means that it does not read at all. */
const LIMIT_BYTES = 32 * 1024 * 1024;
/** Room that is kept for the next turn. */
const KEPT_BYTES = 16 * 1024;
/** Payloads up to this are copied here sooner than a call into Node.js returns. */
const SHORT = 256;

/**
 * Collects what is to be sent and hands it to the socket once per turn of the event loop: many calls that start
 * together cost one write.
 */
export class Outbox {
  readonly #socket: Duplex;
  readonly #send = (): void => this.flush();
  #bytes = Buffer.allocUnsafeSlow(KEPT_BYTES);
  #length = 0;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** True when the other side has stopped reading. */
  get isStuck(): boolean {
    return this.#socket.writableLength > LIMIT_BYTES;
  }

  push(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#put(bytes, 0, bytes.length);
  }

  /** A frame with a part of some bytes for its payload. */
  pushFrame(
    type: number,
    flags: number,
    streamId: number,
    bytes: Uint8Array = NOTHING,
    start = 0,
    end = bytes.length,
  ): void {
    this.#reserve(FRAME_HEADER_BYTES + end - start);
    fillFrameHeader(this.#bytes, this.#length, end - start, type, flags, streamId);
    this.#length += FRAME_HEADER_BYTES;
    this.#put(bytes, start, end);
  }

  flush(): void {
    const length = this.#length;
    if (length === 0) return;
    const bytes = this.#bytes.subarray(0, length);
    this.#length = 0;
    // What is handed over is the socket's until it was sent.
    const isLarge = length > KEPT_BYTES;
    if (isLarge) this.#bytes = Buffer.allocUnsafeSlow(KEPT_BYTES);
    if (this.#socket.writable) this.#socket.write(isLarge ? bytes : Buffer.from(bytes));
  }

  #put(bytes: Uint8Array, start: number, end: number): void {
    const into = this.#bytes;
    if (end - start > SHORT) into.set(bytes.subarray(start, end), this.#length);
    else for (let at = start, to = this.#length; at < end; at += 1) into[to++] = bytes[at] ?? 0;
    this.#length += end - start;
  }

  #reserve(count: number): void {
    if (this.#length === 0) setImmediate(this.#send);
    if (this.#length + count <= this.#bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(this.#length + count, this.#bytes.length * 2));
    this.#bytes.copy(wider, 0, 0, this.#length);
    this.#bytes = wider;
  }
}

const NOTHING = new Uint8Array();
