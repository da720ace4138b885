import type { Duplex } from 'node:stream';
/** Types of frames. Source: RFC 9113, section 6. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Error codes of resets and GOAWAYs. Source: RFC 9113, section 7. */
export const ERROR = {
  noError: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

/** The connection preface of a client. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const FRAME_HEADER_BYTES = 9;
export const PING_BYTES = 8;
/** The maximum frame payload by default. */
export const DEFAULT_FRAME_BYTES = 16_384;
export const DEFAULT_WINDOW_BYTES = 65_535;
export const MAX_WINDOW_BYTES = 2 ** 31 - 1;

/** The connection is unusable; `code` is sent to the peer. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function writeFrame(type: number, flags: number, streamId: number, payload: Uint8Array = NOTHING): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  fillFrameHeader(frame, 0, payload.length, type, flags, streamId);
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}

/** Writes the frame header for a payload of a length. */
function fillFrameHeader(
  bytes: Buffer,
  start: number,
  length: number,
  type: number,
  flags: number,
  streamId: number,
): void {
  bytes[start] = length >>> 16;
  bytes[start + 1] = length >>> 8;
  bytes[start + 2] = length;
  bytes[start + 3] = type;
  bytes[start + 4] = flags;
  bytes[start + 5] = streamId >>> 24;
  bytes[start + 6] = streamId >>> 16;
  bytes[start + 7] = streamId >>> 8;
  bytes[start + 8] = streamId;
}

/** A frame that carries numbers of four bytes each. */
export function writeNumbers(type: number, streamId: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.allocUnsafe(numbers.length * 4);
  for (const [at, number] of numbers.entries()) payload.writeUInt32BE(number, at * 4);
  return writeFrame(type, 0, streamId, payload);
}

/** A number of four bytes in a payload of the size, if set. */
export function readNumber(payload: Buffer, at: number, size = payload.length): number {
  if (payload.length < at + 4 || payload.length !== size) {
    throw new ConnectionError(ERROR.frameSize, 'a frame is cut short');
  }
  return payload.readUInt32BE(at);
}

const NOTHING = new Uint8Array();

/** The first bytes of an answer in HTTP/1.1, and of a TLS record. */
const HTTP1 = Buffer.from('HTTP/1.');
const TLS_RECORD_TYPES: readonly (number | undefined)[] = [21, 22];
const TLS_MAJOR_VERSION = 3;

/** @throws {Error} on an answer that is in another protocol: the port, or the setting for TLS, is wrong */
export function checkFirstBytes(chunk: Buffer): void {
  if (chunk.subarray(0, HTTP1.length).equals(HTTP1)) {
    const text = chunk.toString('latin1');
    throw new Error(/\bHTTPS\b/.test(text) ? ANSWER_IS_TLS : ANSWER_IS_HTTP1);
  }
  if (TLS_RECORD_TYPES.includes(chunk[0]) && chunk[1] === TLS_MAJOR_VERSION) throw new Error(ANSWER_IS_TLS);
}

const ANSWER_IS_HTTP1 = 'the answer is HTTP/1.1';
const ANSWER_IS_TLS = 'the answer is TLS';

/** Receives one frame, with the position of its payload. The bytes are valid until it returns. */
export type OnFrame = (
  type: number,
  flags: number,
  streamId: number,
  bytes: Buffer,
  start: number,
  end: number,
) => void;

/** Splits the data of a connection into frames, for any chunk boundaries. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  #rest: Buffer | undefined;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Returns the number of frames. @throws {ConnectionError} on a frame larger than was agreed */
  read(chunk: Buffer): number {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    let at = 0;
    let count = 0;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const length = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      if (length > DEFAULT_FRAME_BYTES) throw new ConnectionError(ERROR.frameSize, 'a frame is larger than agreed');
      const start = at + FRAME_HEADER_BYTES;
      const end = start + length;
      if (bytes.length < end) break;
      const streamId = bytes.readUInt32BE(at + 5) & 0x7fffffff;
      this.#onFrame(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0, streamId, bytes, start, end);
      at = end;
      count += 1;
    }
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
    return count;
  }
}

/** @throws {ConnectionError} on a frame that is not allowed now, or not on this stream; stream 0 is the connection */
export function checkOrder(type: number, streamId: number, isInHeaders: boolean, isReady: boolean): void {
  const isExpected = isInHeaders ? type === FRAME.continuation : isReady || mayComeFirst(type);
  if (!isExpected) throw new ConnectionError(ERROR.protocol, 'it sends frames out of order');
  if (streamId === 0 ? type === FRAME.priority : isOfConnection(type)) {
    throw new ConnectionError(ERROR.protocol, 'it sends a frame on a wrong stream');
  }
}

function mayComeFirst(type: number): boolean {
  return type === FRAME.settings || type === FRAME.goaway;
}

function isOfConnection(type: number): boolean {
  return type === FRAME.settings || type === FRAME.ping || type === FRAME.goaway;
}

/** Beyond this many unsent bytes the peer counts as not reading. */
const LIMIT_BYTES = 32 * 1024 * 1024;
/** Buffer of the next flush. */
const BUFFER_BYTES = 16 * 1024;
/** Up to this size a loop is faster than a call into Node.js. */
const SHORT = 256;

/** Collects outgoing bytes and writes them once per event loop turn: calls that start together cost one write. */
export class Outbox {
  readonly #socket: Duplex;
  readonly #send = (): void => this.flush();
  #bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #length = 0;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** True when the peer has stopped reading. */
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
    bytes: Uint8Array = NO_BYTES,
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
    // Written bytes belong to the socket until they are sent.
    const isLarge = length > BUFFER_BYTES;
    if (isLarge) this.#bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
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

const NO_BYTES = new Uint8Array();
