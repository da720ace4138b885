/**
 * Work that many ask for, done once for all who ask at the same time. Who asks while it is under way has it done once more: what
 * is under way may have begun before there was what they ask for.
 */
export class Rounds {
  readonly #work: () => Promise<void>;
  #isAsked = false;
  #rounds: Promise<void> | undefined;

  /** @param work must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when all that was asked for until then is done. */
  ask(): Promise<void> {
    this.#isAsked = true;
    this.#rounds ??= this.#whileAsked();
    return this.#rounds;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#rounds;
  }

  async #whileAsked(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#work();
    }
    this.#rounds = undefined;
  }
}
