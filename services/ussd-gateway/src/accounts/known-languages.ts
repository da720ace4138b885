import type { Logger } from '@mlango/service-kit/logging';
import type { AccountStore, ChoiceMark } from './account-store.js';

export interface KnownLanguagesOptions {
  readonly store: Pick<AccountStore, 'listChoices'>;
  readonly logger: Logger;
  /** A clock that never goes back, in ms. */
  readonly now?: () => number;
  /** Choices kept at most, about 150 bytes each. */
  readonly maxChoices?: number;
}

/** How often choices of other processes are asked for, and so how late at most they are known here, in ms. */
const refreshMs = 1000;

/** After so long without an answer what is known counts no more, in ms: others may have chosen meanwhile. */
const currentMs = 5000;

/** Choices that became visible late are found by looking back so far, in ms: longer than any statement takes. */
const lookBackMs = 30_000;

const pageSize = 2000;

/**
 * The languages that subscribers chose, all of them, in this process: a dial then asks nobody, and that a phone made no
 * choice, which most did not, is known as well. Choices made here are known at once, those of other processes within
 * about a second. Where there are more than are kept, nothing is known, and each dial has to ask.
 */
export class KnownLanguages {
  readonly #store: Pick<AccountStore, 'listChoices'>;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #maxChoices: number;
  readonly #languages = new Map<string, string>();
  /** Phones that chose here since the last refresh began: what that one reads of them may be older. */
  readonly #chosenHere = new Set<string>();
  #newest: ChoiceMark | undefined;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isGivenUp = false;

  constructor(options: KnownLanguagesOptions) {
    this.#store = options.store;
    this.#logger = options.logger;
    this.#now = options.now ?? (() => performance.now());
    this.#maxChoices = options.maxChoices ?? 200_000;
  }

  /** Keeps asking in the background. Neither waits nor throws. */
  start(): void {
    void this.refresh();
    this.#timer = setInterval(() => void this.refresh(), refreshMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }

  /** Whether all choices are known, so that a phone without one has none. */
  get isCurrent(): boolean {
    return this.#now() - this.#refreshedAtMs < currentMs;
  }

  of(phone: string): string | undefined {
    return this.#languages.get(phone);
  }

  /** Told of a choice once it is stored. */
  learn(phone: string, language: string): void {
    if (this.#isGivenUp) return;
    this.#chosenHere.add(phone);
    this.#languages.set(phone, language);
  }

  /** Asks for the choices since the last time. Never rejects: while the store is away what is known gets old. */
  refresh(): Promise<void> {
    this.#underWay ??= this.#readAll()
      .catch((error: unknown) => this.#logger.debug({ err: error }, 'choices of languages cannot be read'))
      .finally(() => {
        this.#underWay = undefined;
      });
    return this.#underWay;
  }

  async #readAll(): Promise<void> {
    const startedAtMs = this.#now();
    this.#chosenHere.clear();
    let after = this.#newest && lookBackFrom(this.#newest);
    for (;;) {
      const page = await this.#store.listChoices(after, pageSize);
      for (const { phone, language } of page) if (!this.#chosenHere.has(phone)) this.#languages.set(phone, language);
      after = page.at(-1) ?? after;
      if (this.#languages.size > this.#maxChoices) return this.#giveUp();
      if (page.length < pageSize) break;
    }
    this.#newest = after === undefined || isBefore(after, this.#newest) ? this.#newest : after;
    this.#refreshedAtMs = startedAtMs;
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    clearInterval(this.#timer);
    this.#languages.clear();
    this.#refreshedAtMs = Number.NEGATIVE_INFINITY;
    this.#logger.info({ maxChoices: this.#maxChoices }, 'too many languages to remember: each dial asks the database');
  }
}

function lookBackFrom({ chosenAt }: ChoiceMark): ChoiceMark {
  return { chosenAt: new Date(chosenAt.getTime() - lookBackMs), phone: '' };
}

function isBefore(mark: ChoiceMark, other: ChoiceMark | undefined): boolean {
  return other !== undefined && mark.chosenAt < other.chosenAt;
}
