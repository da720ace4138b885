import { Readable } from 'node:stream';
import type { RunFrame } from './run-store.js';
import { heartbeat, sseFrame } from './sse-frame.js';

/** Bytes made before a reader has taken them. */
const bufferBytes = 16_384;

type Follow = (signal: AbortSignal) => AsyncIterable<readonly RunFrame[]>;

/**
 * The frames of a run as a byte stream of server-sent events. Frames are read only as fast as the stream is, and a
 * heartbeat is sent when there was none for a while.
 */
export class SseStream extends Readable {
  readonly #left = new AbortController();
  readonly #batches: AsyncIterator<readonly RunFrame[]>;
  readonly #heartbeatMs: number;
  #pending: Promise<IteratorResult<readonly RunFrame[]>> | undefined;

  /** @param follow starts reading; its signal aborts when the stream is destroyed, which must end the reading. */
  constructor(follow: Follow, options: { heartbeatMs: number }) {
    super({ highWaterMark: bufferBytes });
    this.#heartbeatMs = options.heartbeatMs;
    this.#batches = follow(this.#left.signal)[Symbol.asyncIterator]();
  }

  override _read(): void {
    this.#pull().catch((error: unknown) => this.destroy(error instanceof Error ? error : new Error('stream failed')));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#left.abort();
    done(error);
  }

  async #pull(): Promise<void> {
    this.#pending ??= this.#batches.next();
    const next = await within(this.#pending, this.#heartbeatMs);
    if (this.destroyed) return;
    if (next === undefined) {
      this.push(heartbeat);
      return;
    }
    this.#pending = undefined;
    this.push(next.done === true ? null : next.value.map(sseFrame).join(''));
  }
}

/** What the promise gives, or undefined when it takes longer. */
async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
