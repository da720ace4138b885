import type { Connection } from '../http2/connection.js';

/** A call that waits for a connection with room for it. */
export interface Waiter {
  start(connection: Connection): void;
  giveUp(reason: string): void;
}

/** Calls that wait for room, the first one first. */
export class WaitingCalls {
  readonly #waiters = new Set<Waiter>();

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  add(waiter: Waiter): void {
    this.#waiters.add(waiter);
  }

  delete(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** Starts as many as there is room for. */
  serve(withRoom: () => Connection | undefined): void {
    for (const waiter of this.#waiters) {
      const connection = withRoom();
      if (connection === undefined) return;
      this.#waiters.delete(waiter);
      waiter.start(connection);
    }
  }

  giveUpAll(reason: string): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.giveUp(reason);
  }
}
