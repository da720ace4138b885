import { Readable } from 'node:stream';
import { heartbeat } from './sse-frame.js';

/** Bytes made before a reader has taken them. */
const bufferBytes = 16_384;

/** Made once: an error with a stack for each stream that ends would cost more than its frames. */
const hasLeft = new Error('the reader has left');

type Follow<Event> = (signal: AbortSignal) => AsyncIterable<readonly Event[]>;

/**
 * Events, such as the frames of a run, as a byte stream of server-sent events. They are read only as fast as the stream is, and a
 * heartbeat is sent when there was none for a while.
 */
export class SseStream<Event> extends Readable {
  readonly #textOf: (event: Event) => string;
  readonly #left = new AbortController();
  readonly #batches: AsyncIterator<readonly Event[]>;
  /** One timer for the whole stream: it is put off with each batch. */
  readonly #quiet: NodeJS.Timeout;
  #isReading = false;
  #isOver = false;

  /** @param follow starts reading; its signal aborts when the stream is destroyed, which must end the reading. */
  constructor(follow: Follow<Event>, textOf: (event: Event) => string, options: { heartbeatMs: number }) {
    super({ highWaterMark: bufferBytes });
    this.#textOf = textOf;
    this.#batches = follow(this.#left.signal)[Symbol.asyncIterator]();
    this.#quiet = setTimeout(() => this.#beat(), options.heartbeatMs);
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#batches.next().then(this.#take, this.#fail);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#quiet);
    // What has been read to its end has nobody left to tell.
    if (!this.#isOver) this.#left.abort(hasLeft);
    done(error);
  }

  readonly #take = (next: IteratorResult<readonly Event[]>): void => {
    this.#isReading = false;
    if (this.destroyed) return;
    if (next.done === true) {
      this.#isOver = true;
      clearTimeout(this.#quiet);
      this.push(null);
      return;
    }
    this.#quiet.refresh();
    let text = '';
    for (const event of next.value) text += this.#textOf(event);
    this.push(text);
  };

  readonly #fail = (error: unknown): void => {
    this.destroy(error instanceof Error ? error : new Error('stream failed'));
  };

  #beat(): void {
    // A reader that has not taken what there is needs no sign, and is given nothing more to hold.
    if (this.#isReading && this.readableLength === 0) this.push(heartbeat);
    this.#quiet.refresh();
  }
}
