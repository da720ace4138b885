import { BusyFailure } from '../busy-failure.js';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import type { ByteAllowance } from '../node-options.js';

/** One byte that says whether the message is compressed, and four for its length. Source: the gRPC protocol over HTTP/2. */
const PREFIX_BYTES = 5;

/** A message as it goes over a stream. */
export function frameMessage(message: Uint8Array): Buffer {
  if (message.length === 0) return NO_MESSAGE;
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

const NO_MESSAGE = Buffer.alloc(PREFIX_BYTES);

/** Who is told of messages. */
export interface MessageSink {
  message(message: Uint8Array): void;
}

/** Cuts what comes over a stream into messages, wherever the chunks begin and end. */
export class MessageReader {
  readonly #limitBytes: number;
  readonly #budget: ByteAllowance | undefined;
  /** What there is of a message, or of its prefix, and room for more of it. */
  #room = NOTHING;
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

  /**
   * Reads from `start` to `end` of a chunk.
   *
   * @throws {NodeFailure} on a message that is compressed or too large, as soon as it says so, or has no room
   */
  read(chunk: Buffer, start: number, end: number, sink: MessageSink): void {
    if (!this.isCut && this.#readWhole(chunk, start, end, sink)) return;
    let at = start;
    while (at < end) {
      const next = Math.min(end, at + this.#wanted - this.#bytes);
      if (this.#budget?.take(next - at) === false) throw new BusyFailure('replies wait');
      this.#put(chunk, at, next);
      at = next;
      if (this.#bytes < this.#wanted) return;
      if (!this.#isPrefixRead) this.#readPrefix();
      if (this.#bytes === this.#wanted) this.#finish(sink);
    }
  }

  /** Forgets what there is of a message, and begins with the next one. */
  release(): void {
    if (!this.isCut) return;
    this.#budget?.give(this.#bytes);
    this.#room = NOTHING;
    this.#bytes = 0;
    this.#wanted = PREFIX_BYTES;
    this.#isPrefixRead = false;
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

  /** The room grows with what came, whatever a prefix says. */
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

  /** There is as much room as there are bytes: it never grows beyond the message. */
  #finish(sink: MessageSink): void {
    const message = this.#room;
    this.release();
    sink.message(message);
  }
}

const NOTHING = Buffer.alloc(0);
/** Room for a message that comes in several chunks, to begin with. */
const FIRST_BYTES = 64 * 1024;
/** Messages up to this are copied here sooner than a call into Node.js returns. */
const SHORT = 64;
