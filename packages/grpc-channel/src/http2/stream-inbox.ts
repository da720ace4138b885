import { ConnectionError, ERROR, FLAG, FRAME, writeNumbers } from './frames.js';
import { HeaderBlocks, withoutPadding } from './header-blocks.js';
import { HeaderDecoder } from './hpack-decoder.js';
import type { OpenStreams } from './open-streams.js';
import type { Outbox } from './outbox.js';
import { ReceiveWindow } from './receive-window.js';
import type { Stream } from './stream.js';

/** One stream of a slow reader holds this much. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
export const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;

/** Passes what comes for streams on to them, and keeps the other side within the windows. */
export class StreamInbox {
  readonly #streams: OpenStreams;
  readonly #outbox: Outbox;
  readonly #decoder = new HeaderDecoder();
  readonly #blocks = new HeaderBlocks();
  readonly #window = new ReceiveWindow(CONNECTION_WINDOW_BYTES);

  constructor(streams: OpenStreams, outbox: Outbox) {
    this.#streams = streams;
    this.#outbox = outbox;
  }

  /** Headers have begun, and only more of them may follow. */
  get isInHeaders(): boolean {
    return this.#blocks.isOpen;
  }

  takeData(flags: number, streamId: number, payload: Buffer): void {
    const stream = this.#streams.find(streamId);
    if (!this.#window.take(payload.length)) throw new ConnectionError(ERROR.flowControl, TOO_MUCH);
    // A stream that nobody reads must not hold up the others.
    const update = this.#window.give(payload.length);
    if (update > 0) this.#outbox.push(writeNumbers(FRAME.windowUpdate, 0, update));
    const bytes = withoutPadding(flags, payload);
    if (stream === undefined) return;
    const { events } = stream;
    if (!stream.window.take(payload.length)) {
      this.#streams.reset(stream, ERROR.flowControl);
      events.broken({
        code: ERROR.flowControl,
        reason: TOO_MUCH,
        isUnprocessed: false,
        isConnectionLost: false,
      });
      return;
    }
    const isLast = (flags & FLAG.endStream) !== 0;
    if (isLast) this.#streams.end(stream);
    else this.consume(stream, payload.length - bytes.length);
    events.data(bytes, isLast);
  }

  takeHeaders(flags: number, streamId: number, payload: Buffer): void {
    this.#streams.find(streamId);
    this.#blocks.begin(streamId, flags, payload);
    if ((flags & FLAG.endHeaders) !== 0) this.#endHeaders();
  }

  takeContinuation(flags: number, streamId: number, payload: Buffer): void {
    this.#blocks.add(streamId, payload);
    if ((flags & FLAG.endHeaders) !== 0) this.#endHeaders();
  }

  takeReset(streamId: number, code: number): void {
    const stream = this.#streams.find(streamId);
    if (stream === undefined) return;
    const isUnprocessed = code === ERROR.refusedStream;
    this.#streams.break(stream, { code, reason: 'the call was reset', isUnprocessed, isConnectionLost: false });
  }

  /** Bytes of a stream were used, so that it may send as many again. */
  consume(stream: Stream, bytes: number): void {
    if (!this.#streams.has(stream)) return;
    const update = stream.window.give(bytes);
    if (update > 0) this.#outbox.push(writeNumbers(FRAME.windowUpdate, stream.id, update));
  }

  #endHeaders(): void {
    const { streamId, block, isLast } = this.#blocks.end();
    // What it says of the table counts, even when nobody waits for the headers.
    const headers = this.#decoder.decode(block);
    const stream = this.#streams.find(streamId);
    if (stream === undefined) return;
    const { events } = stream;
    if (isLast) this.#streams.end(stream);
    events.headers(headers, isLast);
  }
}

const TOO_MUCH = 'it sends more than allowed';
