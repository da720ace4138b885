/** Lets concurrent calls with one key share one run of the work. */
export class SingleFlight<Key, Result> {
  readonly #running = new Map<Key, Promise<Result>>();

  /** The outcome of the running work of this key; undefined if none runs. */
  running(key: Key): Promise<Result> | undefined {
    return this.#running.get(key);
  }

  /**
   * Joins the running work of this key, or starts it.
   * @param work gets a test whether it is still the one that later callers join: `forget` makes its result obsolete
   */
  run(key: Key, work: (isCurrent: () => boolean) => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    let started: Promise<Result> | undefined;
    const isCurrent = (): boolean => this.#running.get(key) === started;
    started = work(isCurrent).finally(() => {
      if (isCurrent()) this.#running.delete(key);
    });
    this.#running.set(key, started);
    return started;
  }

  /** Detaches the running work of a key: later callers start again. */
  forget(key: Key): void {
    this.#running.delete(key);
  }

  forgetAll(): void {
    this.#running.clear();
  }
}
