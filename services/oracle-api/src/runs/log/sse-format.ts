import { Readable } from 'node:stream';
import type { RunFrame } from './store.js';

/** Bytes buffered ahead of a reader. */
const bufferBytes = 16_384;

/** Shared, because an error with a stack for each ended stream is expensive. */
const hasLeft = new Error('the client disconnected');

type Follow<Event> = (signal: AbortSignal) => AsyncIterable<readonly Event[]>;

/** Events, such as the frames of a run, as a stream of server-sent events with backpressure. Heartbeats are sent while it is silent. */
export class SseStream<Event> extends Readable {
  readonly #textOf: (event: Event) => string;
  readonly #left = new AbortController();
  readonly #batches: AsyncIterator<readonly Event[]>;
  /** One timer per stream, restarted with each batch. */
  readonly #quiet: NodeJS.Timeout;
  #isReading = false;
  #isOver = false;

  /** @param follow starts reading; its signal aborts when the stream is destroyed, which must end the reading */
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
    // After the end there is no reading to abort.
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
    // A reader with unread data needs no heartbeat.
    if (this.#isReading && this.readableLength === 0) this.push(heartbeat);
    this.#quiet.refresh();
  }
}

/** A comment, which clients ignore: it keeps proxies from closing an idle stream. */
const heartbeat = ': heartbeat\n\n';

/**
 * A frame in the `text/event-stream` format of the HTML standard: id, event, one line of data, a blank line.
 * `data` is JSON, where line breaks are escaped, so nothing in it can end the line.
 */
export function sseFrame(frame: RunFrame): string {
  return `id: ${frame.id}\nevent: ${frame.event}\ndata: ${frame.data}\n\n`;
}

/** Open streams, so that a shutdown can wait for them with a timeout. */
export class OpenStreams {
  readonly #open = new Set<Readable>();
  #onEmpty: (() => void) | undefined;

  add<Stream extends Readable>(stream: Stream): Stream {
    this.#open.add(stream);
    stream.once('close', () => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
    return stream;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Resolves when every stream has ended; the rest is destroyed after `graceMs`. */
  async finish(graceMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const stream of this.#open) stream.destroy();
  }
}
