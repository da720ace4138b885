import { gunzipSync } from 'node:zlib';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import type { ByteAllowance } from '../node-options.js';
import { BusyError } from '../retry-later-error.js';

/** One byte for compression and four for the length. Source: the gRPC protocol over HTTP/2. */
const PREFIX_BYTES = 5;

/** A message as encoded on a stream. */
export function frameMessage(message: Uint8Array): Buffer {
  if (message.length === 0) return NO_MESSAGE;
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

const NO_MESSAGE = Buffer.alloc(PREFIX_BYTES);

/** Receives messages. */
export interface MessageSink {
  message(message: Uint8Array): void;
}

/** Splits the data of a stream into messages, for any chunk boundaries. */
export class MessageReader {
  readonly #limitBytes: number;
  readonly #budget: ByteAllowance | undefined;
  /** The received part of a message or of its prefix, with free space. */
  #room = NOTHING;
  #bytes = 0;
  /** Length of the message with its prefix, as soon as that is known. */
  #wanted = PREFIX_BYTES;
  #isPrefixRead = false;
  #isCompressed = false;
  /** The encoding of compressed messages, from the reply's headers. */
  encoding: string | undefined;

  /** @param budget accounts the parts of an incomplete message */
  constructor(limitBytes: number, budget?: ByteAllowance) {
    this.#limitBytes = limitBytes;
    this.#budget = budget;
  }

  /** True if a message is incomplete. */
  get isCut(): boolean {
    return this.#isPrefixRead || this.#bytes > 0;
  }

  /**
   * Reads from `start` to `end` of a chunk.
   *
   * @throws {NodeFailure} for a message that is too large by its prefix, exceeds the budget, or is compressed with another
   * encoding than gzip
   */
  read(chunk: Buffer, start: number, end: number, sink: MessageSink): void {
    if (!this.isCut && this.#readWhole(chunk, start, end, sink)) return;
    let at = start;
    while (at < end) {
      const next = Math.min(end, at + this.#wanted - this.#bytes);
      if (this.#budget?.take(next - at) === false) throw new BusyError('replies wait');
      this.#put(chunk, at, next);
      at = next;
      if (this.#bytes < this.#wanted) return;
      if (!this.#isPrefixRead) this.#readPrefix();
      if (this.#bytes === this.#wanted) this.#finish(sink);
    }
  }

  /** Discards the received part of a message, and starts with the next one. */
  release(): void {
    if (!this.isCut) return;
    this.#budget?.give(this.#bytes);
    this.#room = NOTHING;
    this.#bytes = 0;
    this.#wanted = PREFIX_BYTES;
    this.#isPrefixRead = false;
    this.#isCompressed = false;
  }

  /** Most replies are one message in one chunk. */
  #readWhole(chunk: Buffer, start: number, end: number, sink: MessageSink): boolean {
    const from = start + PREFIX_BYTES;
    const length = end - from;
    if (length < 0 || length > this.#limitBytes || chunk[start] !== 0 || chunk.readUInt32BE(start + 1) !== length)
      return false;
    const message = Buffer.allocUnsafe(length);
    if (length > SHORT) chunk.copy(message, 0, from, end);
    else for (let at = 0; at < length; at += 1) message[at] = chunk[from + at] ?? 0;
    sink.message(message);
    return true;
  }

  /** The buffer grows with the received bytes, independent of the announced length. */
  #put(chunk: Buffer, start: number, end: number): void {
    const bytes = this.#bytes + end - start;
    if (bytes > this.#room.length) {
      const wider = Buffer.allocUnsafe(Math.min(this.#wanted, Math.max(bytes, this.#room.length * 2, FIRST_BYTES)));
      this.#room.copy(wider, 0, 0, this.#bytes);
      this.#room = wider;
    }
    chunk.copy(this.#room, this.#bytes, start, end);
    this.#bytes = bytes;
  }

  #readPrefix(): void {
    const prefix = this.#room;
    const isCompressed = prefix[0] !== 0;
    if (isCompressed && this.encoding !== GZIP) {
      // No other encoding was offered.
      throw new NodeFailure(GRPC_CODES.internal, 'a message is compressed', { fromTransport: true });
    }
    const length = prefix.readUInt32BE(1);
    if (length > this.#limitBytes) throw tooLarge(`a message of ${length} bytes`, this.#limitBytes);
    this.release();
    this.#isPrefixRead = true;
    this.#isCompressed = isCompressed;
    this.#wanted = length;
  }

  /** The buffer has the size of the received bytes, at most that of the message. */
  #finish(sink: MessageSink): void {
    const message = this.#room;
    const isCompressed = this.#isCompressed;
    this.release();
    sink.message(isCompressed ? this.#unzip(message) : message);
  }

  /** Messages are delivered in order, so the next one waits for this one anyway. */
  #unzip(message: Buffer): Buffer {
    try {
      return gunzipSync(message, { maxOutputLength: this.#limitBytes });
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge('an unpacked message', this.#limitBytes);
      throw new NodeFailure(GRPC_CODES.internal, 'a message is not compressed with gzip', { fromTransport: true });
    }
  }
}

/** The only accepted encoding of messages. */
export const GZIP = 'gzip';

function tooLarge(what: string, limitBytes: number): NodeFailure {
  const options = { fromTransport: true, tooLarge: true };
  return new NodeFailure(GRPC_CODES.resourceExhausted, `${what}, with a limit of ${limitBytes}`, options);
}

const NOTHING = Buffer.alloc(0);
/** Initial space for a message in several chunks. */
const FIRST_BYTES = 64 * 1024;
/** Up to this size a loop is faster than a call into Node.js. */
const SHORT = 64;
