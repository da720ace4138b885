import { ServiceError } from '@mlango/service-kit/errors';
import type { SessionStore } from '../sessions/session-store.js';
import type { TenantLimits } from './tenants-file.js';

/** Sessions are counted at most this often; in between, new ones are added. */
const countEveryMs = 1000;

/**
 * Limits one tenant, so that others have capacity: hops per second and concurrent hops in this process, and live
 * sessions of all processes. A hop over a limit is refused at once.
 */
export class TenantLimiter {
  readonly #id: string;
  readonly #store: SessionStore;
  readonly #clock: () => number;
  #running = 0;
  /** Hops allowed now: at most those of one second. */
  #left = Number.POSITIVE_INFINITY;
  #leftAtMs = Number.NEGATIVE_INFINITY;
  /** The last count, and the sessions that began since. */
  #counted = 0;
  #added = 0;
  #countAtMs = Number.NEGATIVE_INFINITY;

  /** @param clock monotonic, in ms. */
  constructor(id: string, store: SessionStore, clock = () => performance.now()) {
    this.#id = id;
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Admits a hop; call the result when the hop ends.
   * @throws {ServiceError} `rate_limited`.
   */
  enter(limits: TenantLimits | undefined): () => void {
    if (limits === undefined) return nothing;
    const { hopsPerSecond, atOnce } = limits;
    const now = this.#clock();
    const since = Math.min(1, (now - this.#leftAtMs) / 1000);
    const left = Math.min(hopsPerSecond, this.#left + since * hopsPerSecond);
    this.#leftAtMs = now;
    if (left < 1 || this.#running >= atOnce) {
      this.#left = left;
      throw tooMany();
    }
    this.#left = left - 1;
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /**
   * Admits a new session. @throws {ServiceError} `rate_limited` if the limit is reached, as far as is known.
   */
  begin(limits: TenantLimits | undefined): void {
    if (limits === undefined) return;
    if (this.#clock() >= this.#countAtMs) void this.#count();
    if (this.#counted + this.#added >= limits.sessions) throw tooMany();
    this.#added += 1;
  }

  async #count(): Promise<void> {
    this.#countAtMs = Number.POSITIVE_INFINITY;
    try {
      const before = this.#added;
      this.#counted = await this.#store.countLive(this.#id);
      this.#added -= before;
    } catch {
      // Without the store no session begins.
    } finally {
      this.#countAtMs = this.#clock() + countEveryMs;
    }
  }
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', 'Too many requests', { headers: { 'retry-after': '1' }, limiter: 'service' });
}

function nothing(): void {}
