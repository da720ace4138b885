/**
 * Runs the hops of one session one after the other within this process, so that fifty duplicates wait in a line here
 * instead of asking a shared store fifty times for its lock.
 */
export class SessionQueue {
  readonly #tails = new Map<string, Promise<void>>();

  async run<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#tails.get(session)?.then(work) ?? work();
    // The next in line does not care how this turn went.
    const tail = turn.then(ignore, ignore);
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

function ignore(): void {}
