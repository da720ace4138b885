import { ServiceError } from '@mlango/service-kit/errors';
import type { SessionStore } from '../sessions/session-store.js';
import type { TenantLimits } from './tenants-file.js';

/** Sessions are counted anew no more often than this: in between, those that begin here are added. */
const countEveryMs = 1000;

/**
 * What one service may have of a process, so that the others have the rest: hops a second and at one time, and live sessions of all processes. Who
 * comes too many is told at once, and waits for nothing.
 */
export class TenantLimiter {
  readonly #id: string;
  readonly #store: SessionStore;
  readonly #clock: () => number;
  #underWay = 0;
  /** Hops that may come now: those of a second at most. */
  #left = Number.POSITIVE_INFINITY;
  #leftAtMs = Number.NEGATIVE_INFINITY;
  /** As they were counted last, and those that began since. */
  #counted = 0;
  #begun = 0;
  #countAtMs = Number.NEGATIVE_INFINITY;

  /** @param clock in ms, from anywhere; does not jump. */
  constructor(id: string, store: SessionStore, clock = () => performance.now()) {
    this.#id = id;
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Lets a hop in; what it returns lets it out.
   * @throws {ServiceError} `rate_limited`.
   */
  enter(limits: TenantLimits | undefined): () => void {
    if (limits === undefined) return nothing;
    const { hopsPerSecond, atOnce } = limits;
    const now = this.#clock();
    const since = Math.min(1, (now - this.#leftAtMs) / 1000);
    const left = Math.min(hopsPerSecond, this.#left + since * hopsPerSecond);
    this.#leftAtMs = now;
    if (left < 1 || this.#underWay >= atOnce) {
      this.#left = left;
      throw tooMany();
    }
    this.#left = left - 1;
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  /** A session begins. @throws {ServiceError} `rate_limited` where there are as many as there may be, as far as that is known. */
  begin(limits: TenantLimits | undefined): void {
    if (limits === undefined) return;
    if (this.#clock() >= this.#countAtMs) void this.#count();
    if (this.#counted + this.#begun >= limits.sessions) throw tooMany();
    this.#begun += 1;
  }

  async #count(): Promise<void> {
    this.#countAtMs = Number.POSITIVE_INFINITY;
    try {
      const before = this.#begun;
      this.#counted = await this.#store.countLive(this.#id);
      this.#begun -= before;
    } catch {
      // Without the store no session begins anyway.
    } finally {
      this.#countAtMs = this.#clock() + countEveryMs;
    }
  }
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', 'Too many requests', { headers: { 'retry-after': '1' }, limiter: 'service' });
}

function nothing(): void {}
