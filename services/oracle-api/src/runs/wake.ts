/** Lets one reader wait for word of what it reads. What is said between two waits is not missed. */
export class Wake {
  readonly #signal: AbortSignal;
  readonly #lookMs: number | undefined;
  readonly #resume = () => this.#resolve?.();
  #resolve: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasNews = false;

  /**
   * @param signal ends every wait.
   * @param lookMs the longest wait; without it a wait ends with word or the signal only.
   */
  constructor(signal: AbortSignal, lookMs?: number) {
    this.#signal = signal;
    this.#lookMs = lookMs;
    signal.addEventListener('abort', this.#resume);
  }

  tell(): void {
    this.#hasNews = true;
    this.#resume();
  }

  /** Resolves at the next word, after `lookMs`, or when the signal aborts; true for word. One wait at a time. */
  async wait(): Promise<boolean> {
    if (!this.#hasNews && !this.#signal.aborted) {
      if (this.#lookMs !== undefined) {
        // One timer for all waits: readers wait as often as the model says something.
        this.#timer = this.#timer?.refresh() ?? setTimeout(this.#resume, this.#lookMs);
      }
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    return hasNews;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#resume);
  }
}
