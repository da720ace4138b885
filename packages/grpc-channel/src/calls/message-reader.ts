import { BusyFailure } from '../busy-failure.js';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import type { ByteAllowance } from '../node-options.js';

/** One byte that says whether the message is compressed, and four for its length. Source: the gRPC protocol over HTTP/2. */
const PREFIX_BYTES = 5;

/** A message as it goes over a stream. */
export function frameMessage(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

/** Cuts what comes over a stream into messages, wherever the chunks begin and end. */
export class MessageReader {
  readonly #limitBytes: number;
  readonly #budget: ByteAllowance | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Length of the message with its prefix, as soon as that is known. */
  #wanted = PREFIX_BYTES;
  #isPrefixRead = false;

  /** @param budget what the parts of a message are counted with until it is whole */
  constructor(limitBytes: number, budget?: ByteAllowance) {
    this.#limitBytes = limitBytes;
    this.#budget = budget;
  }

  /** True when a message has begun that is not there as a whole. */
  get isCut(): boolean {
    return this.#isPrefixRead || this.#bytes > 0;
  }

  /** @throws {NodeFailure} on a message that is compressed or too large, as soon as it says so, or has no room */
  read(chunk: Buffer, onMessage: (message: Uint8Array) => void): void {
    if (!this.isCut && this.#readWhole(chunk, onMessage)) return;
    let rest = chunk;
    while (rest.length > 0) {
      const part = rest.subarray(0, this.#wanted - this.#bytes);
      rest = rest.subarray(part.length);
      if (this.#budget?.take(part.length) === false) throw new BusyFailure('replies wait');
      this.#parts.push(part);
      this.#bytes += part.length;
      if (this.#bytes < this.#wanted) return;
      if (!this.#isPrefixRead) this.#readPrefix();
      if (this.#bytes === this.#wanted) this.#finish(onMessage);
    }
  }

  /** Forgets what there is of a message, and begins with the next one. */
  release(): void {
    this.#budget?.give(this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    this.#wanted = PREFIX_BYTES;
    this.#isPrefixRead = false;
  }

  /** Most replies are one message in one chunk. */
  #readWhole(chunk: Buffer, onMessage: (message: Uint8Array) => void): boolean {
    const length = chunk.length - PREFIX_BYTES;
    if (length < 0 || length > this.#limitBytes || chunk[0] !== 0 || chunk.readUInt32BE(1) !== length) return false;
    const message = Buffer.allocUnsafe(length);
    chunk.copy(message, 0, PREFIX_BYTES);
    onMessage(message);
    return true;
  }

  #readPrefix(): void {
    const prefix = this.#join();
    if (prefix[0] !== 0) {
      // None was offered, so the node had no reason to.
      throw new NodeFailure(GRPC_CODES.internal, 'a message is compressed', { fromTransport: true });
    }
    const length = prefix.readUInt32BE(1);
    if (length > this.#limitBytes) {
      const text = `a message of ${length} bytes, with a limit of ${this.#limitBytes}`;
      throw new NodeFailure(GRPC_CODES.resourceExhausted, text, { fromTransport: true, tooLarge: true });
    }
    this.release();
    this.#isPrefixRead = true;
    this.#wanted = length;
  }

  #finish(onMessage: (message: Uint8Array) => void): void {
    // Parts are views of large chunks, which a message that is kept must not hold.
    const message = Buffer.concat(this.#parts);
    this.release();
    onMessage(message);
  }

  #join(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts;
    return this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
  }
}
