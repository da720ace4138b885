/**
 * Runs the hops of one session one after the other within this process, so that fifty duplicates wait in a line here
 * instead of asking a shared store fifty times for its lock.
 */
export class SessionQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** @throws the signal's reason if it is aborted before the turn comes; the work is not run then. */
  async run<Result>(session: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(session) ?? Promise.resolve();
    const turn = before.then(() => {
      signal.throwIfAborted();
      return work();
    });
    // The next in line does not care how this turn went.
    const tail = turn.catch(() => {});
    this.#tails.set(session, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(session) === tail) this.#tails.delete(session);
    }
  }

  /** Sessions with a hop under way. */
  get size(): number {
    return this.#tails.size;
  }
}
