/** Pauses of one length within one answer. */
export class Pace {
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #resume = () => this.#resolve();
  readonly #begin = (resolve: () => void) => {
    this.#resolve = resolve;
  };
  #resolve: () => void = () => undefined;

  constructor(paceMs: number, signal: AbortSignal) {
    this.#signal = signal;
    this.#timer = setTimeout(this.#resume, paceMs);
    signal.addEventListener('abort', this.#resume);
  }

  /** Resolves after the pause, or when the signal aborts. */
  pause(): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve();
    this.#timer.refresh();
    return new Promise(this.#begin);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#resume);
  }
}
