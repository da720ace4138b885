import { ConnectionError, ERROR, FLAG, FRAME, type Outbox } from './frames.js';
import type { HeaderBlock } from './hpack-encoder.js';

/** Limits of frames and bytes of one block. Beyond them the connection ends, since a block must be read as a whole. */
const MAX_FRAMES = 128;
const MAX_BLOCK_BYTES = 1024 * 1024;

/** A block of headers in several frames; no other frame is allowed between them. */
export class HeaderBlocks {
  #parts: Buffer[] = [];
  #bytes = 0;
  #streamId = 0;
  #isLast = false;

  get isOpen(): boolean {
    return this.#streamId !== 0;
  }

  begin(streamId: number, isLast: boolean, part: Buffer): void {
    this.#streamId = streamId;
    this.#isLast = isLast;
    this.#parts = [part];
    this.#bytes = part.length;
  }

  /** @throws {ConnectionError} on a part of another stream, and on too many parts */
  add(streamId: number, part: Buffer): void {
    if (streamId !== this.#streamId || streamId === 0)
      throw new ConnectionError(ERROR.protocol, 'another frame interrupts the headers');
    this.#parts.push(part);
    this.#bytes += part.length;
    const isTooLarge = this.#parts.length > MAX_FRAMES || this.#bytes > MAX_BLOCK_BYTES;
    if (isTooLarge) throw new ConnectionError(ERROR.enhanceYourCalm, 'the headers are too large');
  }

  end(): { block: Buffer; isLast: boolean } {
    const ended = { block: Buffer.concat(this.#parts), isLast: this.#isLast };
    this.#streamId = 0;
    this.#parts = [];
    return ended;
  }
}

/**
 * The end of a padded frame's payload; the byte before it is the padding length. @throws {ConnectionError} for padding beyond
 * the payload
 */
export function endOfPadded(bytes: Buffer, start: number, end: number): number {
  const unpadded = end - (bytes[start] ?? 0);
  if (end === start || unpadded < start + 1)
    throw new ConnectionError(ERROR.protocol, 'the padding of a frame is too long');
  return unpadded;
}

/** Sends a block, in several frames if it is long. */
export function sendHeaderBlock(outbox: Outbox, streamId: number, block: HeaderBlock, maxFrameBytes: number): void {
  const { bytes, length } = block;
  for (let at = 0; at < length; at += maxFrameBytes) {
    const end = Math.min(at + maxFrameBytes, length);
    const flags = end === length ? FLAG.endHeaders : 0;
    outbox.pushFrame(at === 0 ? FRAME.headers : FRAME.continuation, flags, streamId, bytes, at, end);
  }
}
