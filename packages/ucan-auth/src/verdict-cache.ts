import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Validation, Verdict } from './verdict.js';

/**
 * Remembers good tokens by the SHA-256 of their text, never the text, until they expire; the least recently used are
 * forgotten first. Refusals are not remembered. Equal tokens that arrive while one is being validated wait for it.
 */
export class VerdictCache {
  readonly #known: LRUCache<string, Verdict>;
  readonly #inFlight = new Map<string, Promise<Validation>>();

  constructor(limit: number) {
    this.#known = new LRUCache({ max: limit });
  }

  /** The verdict on an equal token, if it is known and still good at `nowSeconds`. */
  find(key: string, nowSeconds: number): Verdict | undefined {
    const verdict = this.#known.get(key);
    if (verdict === undefined || Math.min(verdict.validUntil, verdict.freshUntil) > nowSeconds) return verdict;
    this.#known.delete(key);
    return undefined;
  }

  /** Validates, once for all callers that ask meanwhile; `isJoined` for all but the first of them. `validate` never rejects. */
  async add(
    key: string,
    validate: () => Promise<Validation>,
  ): Promise<{ readonly validation: Validation; readonly isJoined: boolean }> {
    const running = this.#inFlight.get(key);
    if (running !== undefined) return { validation: await running, isJoined: true };
    const isCurrent = () => this.#inFlight.get(key) === validation;
    const validation: Promise<Validation> = validate().then((result) => {
      // What was forgotten meanwhile stays forgotten.
      if (isCurrent() && result.ok) this.#known.set(key, result.verdict);
      if (isCurrent()) this.#inFlight.delete(key);
      return result;
    });
    this.#inFlight.set(key, validation);
    return { validation: await validation, isJoined: false };
  }

  drop(key: string): void {
    this.#known.delete(key);
  }

  /** Forgets each verdict that rests on a signature of `did`. */
  forget(did: string): void {
    // Whoever comes now does not join what began with keys that are forgotten.
    this.#inFlight.clear();
    for (const [key, { path }] of [...this.#known.entries()]) {
      if (path.some(({ issuer }) => issuer === did)) this.#known.delete(key);
    }
  }
}

/** What a token is remembered by: its kind of use and the digest of its text. */
export function cacheKey(kind: string, token: string): string {
  return `${kind} ${hash('sha256', token, 'base64')}`;
}
