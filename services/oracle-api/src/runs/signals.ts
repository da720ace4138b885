/**
 * Signals between processes: `stop`, some runs (any, if none is named) were requested to stop; `ended`, a run of a session ended, so the
 * next queued one may start.
 */
export type RunSignal =
  | { readonly kind: 'stop'; readonly runIds?: readonly string[] }
  | { readonly kind: 'ended'; readonly sessionId: string };

/** Signals between processes about runs, which avoid waiting for the next poll. Signals may be lost; the repository is authoritative. */
export interface RunSignals {
  /** Never rejects. */
  send(signal: RunSignal): Promise<void>;
  /** Receives signals of all processes, including this one; `ended` only for followed sessions. Returns a function that unsubscribes. */
  listen(onSignal: (signal: RunSignal) => void): () => void;
  /**
   * Subscribes to `ended` of a session. Resolves once subscribed, or soon after when signals are unavailable, with a function that
   * unsubscribes. One signal is emitted at the start for any missed ones. Never rejects.
   */
  follow(sessionId: string): Promise<() => void>;
}

/** Signals within one process. */
export class MemoryRunSignals implements RunSignals {
  readonly #listeners = new Set<(signal: RunSignal) => void>();

  async send(signal: RunSignal): Promise<void> {
    for (const listener of this.#listeners) listener(signal);
  }

  listen(onSignal: (signal: RunSignal) => void): () => void {
    this.#listeners.add(onSignal);
    return () => this.#listeners.delete(onSignal);
  }

  /** Every signal is received without a subscription. */
  async follow(): Promise<() => void> {
    return () => undefined;
  }
}
