import { type Background, intervalLoop } from '@mlango/async/interval-loop';
import type { ByteBudget } from '../nodes/byte-budget.js';
import type { EventFrame } from './event.js';

/** A connection that receives events. */
export interface Reader {
  /** Called every second: sends pending events, and a heartbeat after a time without events. */
  tick(): void;
  /** False, or a rejection, once the caller is no longer authorised. */
  isAuthorised(): boolean | Promise<boolean>;
  /** Sends the reason and closes the connection. */
  end(why: CloseReason): void;
}

/** `closing`: this process stops, and another one takes over. `access-ended`: the credentials are no longer valid. */
export type CloseReason = 'closing' | 'access-ended';

/** Options of all readers. */
export interface ReaderOptions extends Pick<Reader, 'isAuthorised'> {
  /** Bytes of all unsent replies. */
  readonly budget: ByteBudget;
  /** False while the caller's byte limit is used up. */
  readonly maySend: () => boolean;
  readonly onEvent: (frame: EventFrame) => void;
  readonly onSkip: () => void;
  /** Time without an event before a heartbeat. */
  readonly heartbeatMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export interface ReaderTimes {
  readonly tickMs: number;
  /** Interval of authorisation checks. */
  readonly authorisationMs: number;
}

/** The open connections of a process, served by one timer. */
export class Readers {
  readonly #open = new Set<Reader>();
  readonly #loops: readonly Background[];
  #isClosed = false;

  constructor({ tickMs, authorisationMs }: ReaderTimes) {
    const tick = () => {
      for (const reader of this.#open) reader.tick();
    };
    const checkAll = () => {
      for (const reader of this.#open) void this.#check(reader);
    };
    this.#loops = [intervalLoop(tick, () => tickMs), intervalLoop(checkAll, () => authorisationMs)];
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get size(): number {
    return this.#open.size;
  }

  /** @returns a function that removes it */
  add(reader: Reader): () => void {
    this.#open.add(reader);
    return () => void this.#open.delete(reader);
  }

  /** Closes all readers; later ones are refused. */
  close(): void {
    this.#isClosed = true;
    for (const loop of this.#loops) void loop.stop();
    for (const reader of this.#open) reader.end('closing');
  }

  async #check(reader: Reader): Promise<void> {
    // An unavailable check does not close a connection.
    const holds = await Promise.resolve(reader.isAuthorised()).catch(() => true);
    if (!holds && this.#open.has(reader)) reader.end('access-ended');
  }
}
