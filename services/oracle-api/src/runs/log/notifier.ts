/** Waits for notifications on behalf of one reader. A notification between two waits is not missed. */
export class Notifier {
  readonly #signal: AbortSignal;
  readonly #lookMs: number | undefined;
  #resolve: ((hasNews: boolean) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasNews = false;
  #quietWaits = 0;
  #isOver: boolean;

  /**
   * @param signal ends every wait
   * @param lookMs the longest wait; without it a wait ends only with a notification or the signal
   */
  constructor(signal: AbortSignal, lookMs?: number) {
    this.#signal = signal;
    this.#lookMs = lookMs;
    this.#isOver = signal.aborted;
    signal.addEventListener('abort', this.#end);
  }

  /** Whether the signal has aborted. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Number of waits without a notification since the last one. */
  get quietWaits(): number {
    return this.#quietWaits;
  }

  notify(): void {
    this.#hasNews = true;
    this.#resume();
  }

  /** Resolves at the next notification, after `lookMs`, or when the signal aborts; true for a notification. One wait at a time. */
  wait(): Promise<boolean> {
    if (this.#lookMs !== undefined && !this.#hasNews) {
      // One timer for all waits, because readers wait at every delta of the model.
      this.#timer = this.#timer?.refresh() ?? setTimeout(this.#resume, this.#lookMs);
    }
    const waiting = new Promise<boolean>(this.#begin);
    if (this.#hasNews || this.#isOver) this.#resume();
    return waiting;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#end);
  }

  readonly #begin = (resolve: (hasNews: boolean) => void): void => {
    this.#resolve = resolve;
  };

  readonly #resume = (): void => {
    if (this.#resolve === undefined) return;
    const resolve = this.#resolve;
    const hasNews = this.#hasNews;
    this.#resolve = undefined;
    this.#hasNews = false;
    this.#quietWaits = hasNews ? 0 : this.#quietWaits + 1;
    resolve(hasNews);
  };

  readonly #end = (): void => {
    this.#isOver = true;
    this.#resume();
  };
}
