/**
 * Runs the hops of one session one after the other within this process, so that fifty duplicates wait in a line here
 * instead of asking a shared store fifty times for its lock.
 */
export class SessionQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** @throws the deadline's error if it is over before the turn comes; the work is not run then. */
  async run<Result>(
    session: string,
    deadline: { throwIfAborted(): void },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#tails.get(session);
    const turn = before === undefined ? work() : before.then(() => runTurn(deadline, work));
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

function runTurn<Result>(deadline: { throwIfAborted(): void }, work: () => Promise<Result>): Promise<Result> {
  deadline.throwIfAborted();
  return work();
}

function ignore(): void {}
