import { ConnectionError, DEFAULT_FRAME_BYTES, ERROR, FRAME_HEADER_BYTES } from './frames.js';

/** The first bytes of an answer in HTTP/1.1, and of a TLS record. */
const HTTP1 = Buffer.from('HTTP/1.');
const TLS_RECORD_TYPES: readonly (number | undefined)[] = [21, 22];
const TLS_MAJOR_VERSION = 3;

/** @throws {Error} on an answer that is in another protocol: the port, or the setting for TLS, is wrong */
export function checkFirstBytes(chunk: Buffer): void {
  if (chunk.subarray(0, HTTP1.length).equals(HTTP1)) {
    const text = chunk.toString('latin1');
    throw new Error(/\bHTTPS\b/.test(text) ? SPEAKS_TLS : SPEAKS_HTTP1);
  }
  if (TLS_RECORD_TYPES.includes(chunk[0]) && chunk[1] === TLS_MAJOR_VERSION) throw new Error(SPEAKS_TLS);
}

const SPEAKS_HTTP1 = 'the answer is HTTP/1.1';
const SPEAKS_TLS = 'the answer is TLS';

/** Told of one frame, and where in some bytes its payload is. Those are only good until it returns. */
export type OnFrame = (
  type: number,
  flags: number,
  streamId: number,
  bytes: Buffer,
  start: number,
  end: number,
) => void;

/** Cuts what comes over a connection into frames, wherever the chunks begin and end. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  #rest: Buffer | undefined;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** How many frames there were. @throws {ConnectionError} on a frame larger than was agreed */
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
