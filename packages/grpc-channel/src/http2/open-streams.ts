import { ConnectionError, ERROR, FRAME, writeNumbers } from './frames.js';
import type { Outbox } from './outbox.js';
import type { SendFlow } from './send-flow.js';
import { NOBODY, type Stream, type StreamBreak } from './stream.js';

/** Identifiers of streams have 31 bits. */
export const STREAM_ID_MASK = 2 ** 31 - 1;

/** The streams of a connection whose replies are not there yet. */
export class OpenStreams {
  readonly #streams = new Map<number, Stream>();
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
    return this.#streams.size;
  }

  get all(): readonly Stream[] {
    return [...this.#streams.values()];
  }

  /** The identifier of a new stream; `undefined` when all of them were used. */
  nextId(): number | undefined {
    if (this.#nextId > STREAM_ID_MASK) return undefined;
    this.#nextId += 2;
    return this.#nextId - 2;
  }

  add(stream: Stream): void {
    this.#streams.set(stream.id, stream);
  }

  has(stream: Stream): boolean {
    return this.#streams.get(stream.id) === stream;
  }

  /** The stream of a frame; `undefined` when it is over. @throws {ConnectionError} when it never was */
  find(streamId: number): Stream | undefined {
    if (streamId % 2 === 0 || streamId >= this.#nextId) {
      throw new ConnectionError(ERROR.protocol, 'it speaks of a stream that is none');
    }
    return this.#streams.get(streamId);
  }

  /** The reply is there. What of the request is not sent yet, nobody wants any more. */
  end(stream: Stream): void {
    if (stream.unsent.length > 0) this.reset(stream, ERROR.noError);
    else this.remove(stream);
  }

  reset(stream: Stream, code: number): void {
    this.#outbox.push(writeNumbers(FRAME.rstStream, stream.id, code));
    this.remove(stream);
  }

  break(stream: Stream, cause: StreamBreak): void {
    const { events } = stream;
    this.remove(stream);
    events.broken(cause);
  }

  remove(stream: Stream): void {
    this.#streams.delete(stream.id);
    this.#sendFlow.drop(stream);
    stream.events = NOBODY;
    this.#onRemoved();
  }
}
