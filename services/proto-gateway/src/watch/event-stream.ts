import { Readable } from 'node:stream';
import { EventFrame } from './event.js';
import { Outbox } from './outbox.js';
import type { CloseReason, Reader, ReaderOptions } from './readers.js';
import type { Subscriber, Subscription } from './subscription.js';

export interface EventStreamOptions extends ReaderOptions {
  readonly from: number | undefined;
}

/** Reconnect delay of browsers after a broken connection, in ms. */
const RETRY_MS = 3000;
/** Reconnects of closed clients are spread over this time, in ms. */
const SPREAD_MS = { from: 500, to: 3000 };

/** The events of one watch, as a body of `text/event-stream`. Source: HTML, 9.2. */
export class EventStream extends Readable implements Reader, Subscriber {
  readonly from: number | undefined;
  readonly isAuthorised: Reader['isAuthorised'];
  readonly #options: EventStreamOptions;
  readonly #outbox: Outbox<undefined>;
  #watch: Subscription | undefined;
  #heldBytes = 0;
  #sentAt: number;
  #isOver = false;

  constructor(options: EventStreamOptions) {
    // Pending events stay in the outbox, which has the newest.
    super({ highWaterMark: 1 });
    this.#options = options;
    this.from = options.from;
    this.isAuthorised = options.isAuthorised;
    this.#sentAt = options.now();
    this.#outbox = new Outbox({
      takeRoom: ({ sse }) => {
        if (!options.maySend() || !options.budget.take(sse.length)) return false;
        this.#heldBytes += sse.length;
        return true;
      },
      write: (frame) => {
        options.onEvent(frame);
        return this.#send(frame.sse);
      },
      onSkip: options.onSkip,
    });
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  /** The subscription of the stream. */
  attach(watch: Subscription): void {
    this.#watch = watch;
  }

  offer(frame: EventFrame): void {
    if (!this.#isOver) this.#outbox.offer(undefined, frame);
  }

  tick(): void {
    if (this.#isOver) return;
    this.#outbox.flush();
    const { now, heartbeatMs } = this.#options;
    if (!this.#outbox.isEmpty || this.#heldBytes > 0 || now() - this.#sentAt < heartbeatMs) return;
    // The id advances, so that a reconnecting client does not resume from an old height.
    const height = this.#watch?.checkedAt();
    this.#send(Buffer.from(height === undefined ? ':\n\n' : `id: ${height}\n:\n\n`));
  }

  end(why: CloseReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { from, to } = SPREAD_MS;
    const retryMs = Math.round(from + Math.random() * (to - from));
    this.push(`retry: ${retryMs}\n${new EventFrame('status', undefined, `{"state":"${why}"}`).sse.toString()}`);
    this.push(null);
  }

  override _read(): void {
    this.#giveBack();
    if (!this.#isOver) this.#outbox.drained();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isOver = true;
    this.#giveBack();
    this.#watch?.leave();
    done(error);
  }

  /** True: there is room for more at once. */
  #send(bytes: Buffer): boolean {
    this.#sentAt = this.#options.now();
    return this.push(bytes);
  }

  #giveBack(): void {
    this.#options.budget.give(this.#heldBytes);
    this.#heldBytes = 0;
  }
}
