/**
 * Runs the hops of one session one after the other within this process, so that fifty duplicates wait in a line here
 * instead of asking a shared store fifty times for its lock.
 */
export class SessionQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    // The next in line does not care how the turn before it went.
    const turn = this.#last.get(session)?.then(work, work) ?? work();
    this.#last.set(session, turn);
    const leave = () => {
      if (this.#last.get(session) === turn) this.#last.delete(session);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Sessions with a hop under way. */
  get size(): number {
    return this.#last.size;
  }
}
