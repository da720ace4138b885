import { ConnectionError, ERROR, FLAG, FRAME, writeFrame, writeFrameHeader } from './frames.js';

/** Frames one block may come in. */
const MAX_FRAMES = 64;
const PRIORITY_BYTES = 5;

/** A block of headers that comes in several frames, between which no other may come. */
export class HeaderBlocks {
  #parts: Buffer[] = [];
  #streamId = 0;
  #isLast = false;

  get isOpen(): boolean {
    return this.#streamId !== 0;
  }

  begin(streamId: number, flags: number, payload: Buffer): void {
    this.#streamId = streamId;
    this.#isLast = (flags & FLAG.endStream) !== 0;
    const block = withoutPadding(flags, payload);
    this.#parts = [(flags & FLAG.priority) === 0 ? block : block.subarray(PRIORITY_BYTES)];
  }

  /** @throws {ConnectionError} on a part of another stream, and on too many parts */
  add(streamId: number, payload: Buffer): void {
    if (streamId !== this.#streamId || streamId === 0)
      throw new ConnectionError(ERROR.protocol, 'headers are broken up');
    this.#parts.push(payload);
    if (this.#parts.length > MAX_FRAMES) throw new ConnectionError(ERROR.enhanceYourCalm, 'the headers are too large');
  }

  end(): { streamId: number; block: Buffer; isLast: boolean } {
    const [first = Buffer.alloc(0)] = this.#parts;
    const block = this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    const ended = { streamId: this.#streamId, block, isLast: this.#isLast };
    this.#streamId = 0;
    this.#parts = [];
    return ended;
  }
}

/** The payload of a padded frame without its padding. @throws {ConnectionError} on more padding than there is */
export function withoutPadding(flags: number, payload: Buffer): Buffer {
  if ((flags & FLAG.padded) === 0) return payload;
  const end = payload.length - (payload[0] ?? 0);
  if (payload.length === 0 || end < 1) throw new ConnectionError(ERROR.protocol, 'a frame is all padding');
  return payload.subarray(1, end);
}

/** Blocks that are one together, in as many frames as they need; the bytes go out in this order. */
export function writeHeaderBlock(
  streamId: number,
  blocks: readonly Uint8Array[],
  maxFrameBytes: number,
): readonly Uint8Array[] {
  let length = 0;
  for (const block of blocks) length += block.length;
  if (length <= maxFrameBytes) return [writeFrameHeader(length, FRAME.headers, FLAG.endHeaders, streamId), ...blocks];
  const whole = Buffer.concat(blocks);
  const frames: Buffer[] = [];
  for (let at = 0; at < length; at += maxFrameBytes) {
    const end = Math.min(at + maxFrameBytes, length);
    const flags = end === length ? FLAG.endHeaders : 0;
    frames.push(writeFrame(at === 0 ? FRAME.headers : FRAME.continuation, flags, streamId, whole.subarray(at, end)));
  }
  return frames;
}
