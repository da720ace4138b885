import type { Allowance, Sender } from './allowance.js';
import type { Asking, KeyResolution } from './did-resolver.js';
import type { Validation } from './verdict.js';

export interface KeyBudgetOptions extends Sender {
  /** What the look-ups may take together. */
  readonly timeoutMs: number;
  /** What the sender's address pays them from. Default: nobody has to. */
  readonly lookUps?: Allowance | undefined;
}

/**
 * What one request may spend on looking up keys, however many it needs: time, since look-ups go one after another, and of what
 * its address has left.
 */
export class KeyBudget {
  readonly #endMs: number;
  readonly #asking: Asking;
  #retryAfterSeconds: number | undefined;

  constructor({ timeoutMs, address, lookUps }: KeyBudgetOptions) {
    this.#endMs = performance.now() + timeoutMs;
    const isPaid = lookUps !== undefined && address !== undefined;
    this.#asking = isPaid ? { address, pay: () => lookUps.take(address) } : { address };
  }

  /** What a look-up gives, or `unavailable` when time is up. The look-up itself goes on, for those who ask later. */
  async spendOn(lookUp: (asking: Asking) => Promise<KeyResolution>): Promise<KeyResolution> {
    const leftMs = this.#endMs - performance.now();
    if (leftMs <= 0) return UNAVAILABLE;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<KeyResolution>((resolve) => {
      timer = setTimeout(resolve, leftMs, UNAVAILABLE);
    });
    try {
      const resolution = await Promise.race([lookUp(this.#asking), end]);
      if (!resolution.ok && resolution.code === 'rate_limited') this.#retryAfterSeconds = resolution.retryAfterSeconds;
      return resolution;
    } finally {
      clearTimeout(timer);
    }
  }

  /** What could not be judged for want of a key, told from what this sender may not have looked up now. */
  explain(validation: Validation): Validation {
    const retryAfterSeconds = this.#retryAfterSeconds;
    if (validation.ok || validation.code !== 'unavailable' || retryAfterSeconds === undefined) return validation;
    return { ok: false, code: 'rate_limited', retryAfterSeconds };
  }
}

const UNAVAILABLE = { ok: false, code: 'unavailable' } as const;
