import type { ByteBudget } from '../nodes/byte-budget.js';
import type { EventFrame } from './event.js';

/** A connection that receives events. */
export interface Reader {
  /** Called every second: sends what waited for room, and a sign of life where nothing was sent for long. */
  tick(): void;
  /** False, or a rejection, once the caller is no longer authorised. */
  isAuthorised(): boolean | Promise<boolean>;
  /** Sends the reason and closes the connection. */
  end(why: CloseReason): void;
}

/** `closing`: this process stops, and another one takes over. `access-ended`: what was shown to get in is no longer good. */
export type CloseReason = 'closing' | 'access-ended';

/** Options of all readers. */
export interface ReaderOptions extends Pick<Reader, 'isAuthorised'> {
  /** Of all replies on their way. */
  readonly budget: ByteBudget;
  /** False while the caller's byte limit is used up. */
  readonly maySend: () => boolean;
  readonly onEvent: (frame: EventFrame) => void;
  readonly onSkip: () => void;
  /** After so long without an event a sign of life is sent. */
  readonly heartbeatMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

export interface ReaderTimes {
  readonly tickMs: number;
  /** Interval of authorisation checks. */
  readonly authorisationMs: number;
}

/** The open connections of a process, looked after by one timer. */
export class Readers {
  readonly #open = new Set<Reader>();
  readonly #timers: readonly NodeJS.Timeout[];
  #isClosed = false;

  constructor({ tickMs, authorisationMs }: ReaderTimes) {
    this.#timers = [
      setInterval(() => {
        for (const reader of this.#open) reader.tick();
      }, tickMs).unref(),
      setInterval(() => {
        for (const reader of this.#open) void this.#look(reader);
      }, authorisationMs).unref(),
    ];
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get size(): number {
    return this.#open.size;
  }

  /** @returns what forgets it again */
  add(reader: Reader): () => void {
    this.#open.add(reader);
    return () => void this.#open.delete(reader);
  }

  /** Closes all readers; later ones are refused. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const reader of this.#open) reader.end('closing');
  }

  async #look(reader: Reader): Promise<void> {
    // An unavailable check does not close a connection.
    const holds = await Promise.resolve(reader.isAuthorised()).catch(() => true);
    if (!holds && this.#open.has(reader)) reader.end('access-ended');
  }
}
