import type { RunSignals, RunWord } from './run-signals.js';

/** Word within one process. */
export class MemoryRunSignals implements RunSignals {
  readonly #listeners = new Set<(word: RunWord) => void>();

  async send(word: RunWord): Promise<void> {
    for (const listener of this.#listeners) listener(word);
  }

  listen(onWord: (word: RunWord) => void): () => void {
    this.#listeners.add(onWord);
    return () => this.#listeners.delete(onWord);
  }

  /** All word comes here anyway. */
  async follow(): Promise<() => void> {
    return () => undefined;
  }
}
