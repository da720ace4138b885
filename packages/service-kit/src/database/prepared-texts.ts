/** Texts that a connection keeps as prepared statements, at most. */
const mostTexts = 200;

/**
 * Which statements are worth to be prepared: those whose text comes again. Texts with values in them, or lists of different lengths, come once
 * each, and would fill the memory of the server.
 */
export class PreparedTexts {
  readonly #kept = new Set<string>();
  readonly #once = new Set<string>();

  /** Whether the statement with this text, which is about to run, is to be a prepared one. */
  take(text: string): boolean {
    if (this.#kept.has(text)) return true;
    if (this.#kept.size >= mostTexts) return false;
    if (this.#once.delete(text)) {
      this.#kept.add(text);
      return true;
    }
    if (this.#once.size >= mostTexts) this.#once.clear();
    this.#once.add(text);
    return false;
  }
}
