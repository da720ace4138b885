import type { KeyResolution } from './did-resolver.js';

/** The time that one request may spend on looking up keys, however many it needs: look-ups go one after another. */
export class KeyBudget {
  readonly #endMs: number;

  constructor(budgetMs: number) {
    this.#endMs = performance.now() + budgetMs;
  }

  /** What a look-up gives, or `unavailable` when time is up. The look-up itself goes on, for those who ask later. */
  async spendOn(lookUp: () => Promise<KeyResolution>): Promise<KeyResolution> {
    const leftMs = this.#endMs - performance.now();
    if (leftMs <= 0) return UNAVAILABLE;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<KeyResolution>((resolve) => {
      timer = setTimeout(resolve, leftMs, UNAVAILABLE);
    });
    try {
      return await Promise.race([lookUp(), end]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;
