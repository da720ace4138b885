import { ConnectionError, ERROR, FLAG, FRAME, type Outbox, writeNumbers } from './frames.js';
import { endOfPadded, HeaderBlocks } from './header-blocks.js';
import { HeaderDecoder } from './hpack-decoder.js';
import type { OpenStreams } from './open-streams.js';
import { ReceiveWindow, type Stream, type StreamBreak } from './stream.js';

/** One stream of a slow reader holds this much. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
export const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
const PRIORITY_BYTES = 5;

/** Delivers the data of streams, and keeps the peer within the flow-control windows. */
export class StreamInbox {
  readonly #streams: OpenStreams;
  readonly #outbox: Outbox;
  readonly #decoder = new HeaderDecoder();
  readonly #blocks = new HeaderBlocks();
  /** Headers have arrived for some stream. */
  isAnswered = false;
  readonly #window = new ReceiveWindow(CONNECTION_WINDOW_BYTES);

  constructor(streams: OpenStreams, outbox: Outbox) {
    this.#streams = streams;
    this.#outbox = outbox;
  }

  /** Headers have begun, and only more of them may follow. */
  get isInHeaders(): boolean {
    return this.#blocks.isOpen;
  }

  takeData(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    const stream = this.#streams.find(streamId);
    const length = end - start;
    if (!this.#window.take(length)) throw new ConnectionError(ERROR.flowControl, TOO_MUCH);
    // An unread stream must not block the others.
    const update = this.#window.give(length);
    if (update > 0) this.#outbox.push(writeNumbers(FRAME.windowUpdate, 0, update));
    const isPadded = (flags & FLAG.padded) !== 0;
    const from = isPadded ? start + 1 : start;
    const to = isPadded ? endOfPadded(bytes, start, end) : end;
    if (stream === undefined) return;
    const { events } = stream;
    if (!stream.window.take(length)) {
      this.#streams.reset(stream, ERROR.flowControl);
      events.broken({ code: ERROR.flowControl, reason: TOO_MUCH, isUnprocessed: false, isConnectionFailure: false });
      return;
    }
    const isLast = (flags & FLAG.endStream) !== 0;
    if (isLast) this.#streams.end(stream);
    else if (isPadded) this.consume(stream, length - (to - from));
    events.data(bytes, from, to, isLast);
  }

  takeHeaders(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    const stream = this.#streams.find(streamId);
    const isPadded = (flags & FLAG.padded) !== 0;
    const to = isPadded ? endOfPadded(bytes, start, end) : end;
    const afterPadding = isPadded ? start + 1 : start;
    const from = Math.min(to, afterPadding + ((flags & FLAG.priority) === 0 ? 0 : PRIORITY_BYTES));
    const isLast = (flags & FLAG.endStream) !== 0;
    if ((flags & FLAG.endHeaders) !== 0) this.#endHeaders(stream, bytes, from, to, isLast);
    else this.#blocks.begin(streamId, isLast, Buffer.from(bytes.subarray(from, to)));
  }

  takeContinuation(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    this.#blocks.add(streamId, Buffer.from(bytes.subarray(start, end)));
    if ((flags & FLAG.endHeaders) === 0) return;
    const { block, isLast } = this.#blocks.end();
    this.#endHeaders(this.#streams.find(streamId), block, 0, block.length, isLast);
  }

  takeReset(streamId: number, code: number): void {
    const stream = this.#streams.find(streamId);
    if (stream === undefined) return;
    const isUnprocessed = code === ERROR.refusedStream;
    this.#streams.break(stream, { code, reason: 'the call was reset', isUnprocessed, isConnectionFailure: false });
  }

  /** Bytes of a stream were used, so the peer may send the same number. */
  consume(stream: Stream, bytes: number): void {
    if (!this.#streams.has(stream)) return;
    const update = stream.window.give(bytes);
    if (update > 0) this.#outbox.push(writeNumbers(FRAME.windowUpdate, stream.id, update));
  }

  #endHeaders(stream: Stream | undefined, bytes: Buffer, start: number, end: number, isLast: boolean): void {
    // Its effect on the table counts even if the stream is closed.
    const headers = this.#decoder.decode(bytes, start, end);
    this.isAnswered = true;
    if (stream === undefined) return;
    if (headers === undefined && !isLast) this.#streams.reset(stream, ERROR.cancel);
    if (isLast) this.#streams.end(stream);
    if (headers === undefined) stream.events.broken(TOO_LARGE);
    else stream.events.headers(headers, isLast);
  }
}

const TOO_MUCH = 'it sends more than allowed';
const TOO_LARGE: StreamBreak = {
  code: ERROR.enhanceYourCalm,
  reason: 'the headers of the reply are too large',
  isUnprocessed: false,
  isConnectionFailure: false,
  isTooLarge: true,
};
