import { GRPC_CODES } from '../../transcoding/grpc-status.js';
import { NodeFailure } from '../chain-node.js';

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
  readonly #onMessage: (message: Uint8Array) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Length of the message with its prefix, as soon as that is known. */
  #wanted = PREFIX_BYTES;
  #isPrefixRead = false;

  constructor(limitBytes: number, onMessage: (message: Uint8Array) => void) {
    this.#limitBytes = limitBytes;
    this.#onMessage = onMessage;
  }

  /** True when a message has begun that is not there as a whole. */
  get isCut(): boolean {
    return this.#isPrefixRead || this.#bytes > 0;
  }

  /** @throws {NodeFailure} on a message that is compressed or too large, as soon as it says so */
  read(chunk: Buffer): void {
    if (!this.isCut && this.#readWhole(chunk)) return;
    let rest = chunk;
    while (rest.length > 0) {
      const part = rest.subarray(0, this.#wanted - this.#bytes);
      rest = rest.subarray(part.length);
      this.#parts.push(part);
      this.#bytes += part.length;
      if (this.#bytes < this.#wanted) return;
      if (!this.#isPrefixRead) this.#readPrefix();
      if (this.#bytes === this.#wanted) this.#finish();
    }
  }

  /** Most replies are one message in one chunk. */
  #readWhole(chunk: Buffer): boolean {
    const length = chunk.length - PREFIX_BYTES;
    if (length < 0 || length > this.#limitBytes || chunk[0] !== 0 || chunk.readUInt32BE(1) !== length) return false;
    const message = Buffer.allocUnsafe(length);
    chunk.copy(message, 0, PREFIX_BYTES);
    this.#onMessage(message);
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
    this.#isPrefixRead = true;
    this.#parts = [];
    this.#bytes = 0;
    this.#wanted = length;
  }

  #finish(): void {
    // Parts are views of large chunks, which a message that is kept must not hold.
    const message = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#wanted = PREFIX_BYTES;
    this.#isPrefixRead = false;
    this.#onMessage(message);
  }

  #join(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts;
    return this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
  }
}
