/**
 * Reads a source until it ends or the signal aborts. A source that ignores the signal is left behind, not waited for:
 * nothing of it shows after the abort, and its late failure is swallowed.
 */
export function untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new UntilAborted(source[Symbol.asyncIterator](), signal) };
}

const over = { done: true, value: undefined } as const;

/** By hand, since each of the many parts of an answer passes here, and a generator costs it two more turns of the queue. */
class UntilAborted<T> implements AsyncIterator<T, void> {
  readonly #source: AsyncIterator<T>;
  readonly #signal: AbortSignal;
  #isOver = false;
  #resolve: (next: IteratorResult<T, void>) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(source: AsyncIterator<T>, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    signal.addEventListener('abort', this.#leave);
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.#leave();
    return over;
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#signal.aborted) this.#leave();
    return this.#isOver ? Promise.resolve(over) : new Promise(this.#ask);
  }

  readonly #ask = (resolve: (next: IteratorResult<T, void>) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#source.next().then(this.#pass, this.#fail);
  };

  readonly #pass = (next: IteratorResult<T>): void => {
    if (next.done === true) this.#end();
    this.#resolve(next);
  };

  readonly #fail = (error: unknown): void => {
    this.#end();
    this.#reject(error);
  };

  readonly #leave = (): void => {
    if (this.#isOver) return;
    this.#end();
    this.#resolve(over);
    this.#source.return?.().catch(() => undefined);
  };

  #end(): void {
    this.#isOver = true;
    this.#signal.removeEventListener('abort', this.#leave);
  }
}
