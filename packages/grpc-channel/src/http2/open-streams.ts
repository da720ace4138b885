import type { SendFlow } from './flow-control.js';
import { ConnectionError, ERROR, FRAME, type Outbox, writeNumbers } from './frames.js';
import type { Stream, StreamBreak } from './stream.js';

/** Identifiers of streams have 31 bits. */
export const STREAM_ID_MASK = 2 ** 31 - 1;

/** The streams of a connection without a complete reply. */
export class OpenStreams {
  /** By stream id, in ascending order. Not a map: V8 maps with many deletions retain deleted values in old tables. */
  readonly #streams: Stream[] = [];
  readonly #outbox: Outbox;
  readonly #sendFlow: SendFlow;
  readonly #onRemoved: () => void;
  #nextId = 1;

  constructor(outbox: Outbox, sendFlow: SendFlow, onRemoved: () => void) {
    this.#outbox = outbox;
    this.#sendFlow = sendFlow;
    this.#onRemoved = onRemoved;
  }

  get count(): number {
    return this.#streams.length;
  }

  get all(): readonly Stream[] {
    return [...this.#streams];
  }

  /** The identifier of a new stream; `undefined` when all of them were used. */
  nextId(): number | undefined {
    if (this.#nextId > STREAM_ID_MASK) return undefined;
    this.#nextId += 2;
    return this.#nextId - 2;
  }

  add(stream: Stream): void {
    this.#streams.push(stream);
  }

  has(stream: Stream): boolean {
    return this.#streams[this.#placeOf(stream.id)] === stream;
  }

  /** The stream of a frame; `undefined` when it is closed. @throws {ConnectionError} when it was never opened */
  find(streamId: number): Stream | undefined {
    if (streamId % 2 === 0 || streamId >= this.#nextId) {
      throw new ConnectionError(ERROR.protocol, 'it names a stream that was never opened');
    }
    const stream = this.#streams[this.#placeOf(streamId)];
    return stream?.id === streamId ? stream : undefined;
  }

  /** The reply is complete, so unsent parts of the request are dropped. */
  end(stream: Stream): void {
    if (stream.unsent.length > 0) this.reset(stream, ERROR.noError);
    else this.remove(stream);
  }

  reset(stream: Stream, code: number): void {
    this.#outbox.push(writeNumbers(FRAME.rstStream, stream.id, code));
    this.remove(stream);
  }

  /** No effect if the end of another stream has already ended it. */
  break(stream: Stream, cause: StreamBreak): void {
    if (!this.has(stream)) return;
    this.remove(stream);
    stream.events.broken(cause);
  }

  remove(stream: Stream): void {
    if (this.has(stream)) this.#streams.splice(this.#placeOf(stream.id), 1);
    this.#sendFlow.drop(stream);
    this.#onRemoved();
  }

  /** The position of a stream, or of the first one after it. */
  #placeOf(id: number): number {
    let low = 0;
    let high = this.#streams.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#streams[middle]?.id ?? id) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
