import { ConnectionError, DEFAULT_FRAME_BYTES, ERROR, FRAME_HEADER_BYTES } from './frames.js';

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
