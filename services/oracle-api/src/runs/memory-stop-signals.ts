import type { StopSignals } from './stop-signals.js';

/** Word within one process. */
export class MemoryStopSignals implements StopSignals {
  readonly #listeners = new Set<() => void>();

  async send(): Promise<void> {
    for (const listener of this.#listeners) listener();
  }

  listen(onSignal: () => void): () => void {
    this.#listeners.add(onSignal);
    return () => this.#listeners.delete(onSignal);
  }
}
