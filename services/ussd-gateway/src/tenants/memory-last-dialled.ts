import { type SessionKey, sessionName } from '../sessions/session-store.js';
import type { LastDialled } from './last-dialled.js';

export interface MemoryLastDialledOptions {
  readonly keptMs: number;
  /** In ms, from anywhere; does not jump. */
  readonly clock?: () => number;
  readonly most?: number;
}

/** Of one process. Past the most, the oldest are given up: the next hop without a code is then one of the default service. */
export class MemoryLastDialled implements LastDialled {
  /** That noted or found last at the end, which is also that to be forgotten last. */
  readonly #kept = new Map<string, { readonly service: string; readonly untilMs: number }>();
  readonly #keptMs: number;
  readonly #clock: () => number;
  readonly #most: number;

  constructor({ keptMs, clock = () => performance.now(), most = 100_000 }: MemoryLastDialledOptions) {
    this.#keptMs = keptMs;
    this.#clock = clock;
    this.#most = most;
  }

  async note(key: SessionKey, service: string): Promise<void> {
    const now = this.#clock();
    const name = sessionName(key);
    this.#kept.delete(name);
    this.#kept.set(name, { service, untilMs: now + this.#keptMs });
    for (const [oldest, { untilMs }] of this.#kept) {
      if (untilMs > now && this.#kept.size <= this.#most) return;
      this.#kept.delete(oldest);
    }
  }

  async find(key: SessionKey): Promise<string | undefined> {
    const kept = this.#kept.get(sessionName(key));
    if (kept === undefined || kept.untilMs <= this.#clock()) return undefined;
    await this.note(key, kept.service);
    return kept.service;
  }
}
