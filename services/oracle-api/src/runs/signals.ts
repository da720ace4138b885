/**
 * What processes tell each other of runs: `stop`, that some were asked to stop (any may be, where none is named); `ended`, that one of a session has let
 * it go, so that the next one that waits there may run.
 */
export type RunSignal =
  | { readonly kind: 'stop'; readonly runIds?: readonly string[] }
  | { readonly kind: 'ended'; readonly sessionId: string };

/**
 * Word among processes of their runs, so that whoever waits for it looks at once and not only from time to time. Word may get
 * lost; the register is what counts.
 */
export interface RunSignals {
  /** Never rejects. */
  send(word: RunSignal): Promise<void>;
  /** Calls back for word of any process, this one too; that runs have ended is told where their session is followed. The result ends that. */
  listen(onWord: (word: RunSignal) => void): () => void;
  /**
   * Resolves once word of that session comes here, and soon after where the way of words is down, with what ends that; what may have been said until then is
   * made up for by one word. Never rejects.
   */
  follow(sessionId: string): Promise<() => void>;
}

/** Word within one process. */
export class MemoryRunSignals implements RunSignals {
  readonly #listeners = new Set<(word: RunSignal) => void>();

  async send(word: RunSignal): Promise<void> {
    for (const listener of this.#listeners) listener(word);
  }

  listen(onWord: (word: RunSignal) => void): () => void {
    this.#listeners.add(onWord);
    return () => this.#listeners.delete(onWord);
  }

  /** All word comes here anyway. */
  async follow(): Promise<() => void> {
    return () => undefined;
  }
}
