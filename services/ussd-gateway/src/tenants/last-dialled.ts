import { sha256Hex } from '@mlango/crypto/hashing';
import { type RedisClient, key as redisKey } from '@mlango/service-kit/redis';
import { type SessionKey, sessionName } from '../sessions/session-store.js';

/**
 * Which service was dialled last under an id, by an aggregator and for a number: some aggregators name the code on the dial only. Not asked
 * where there is one service.
 *
 * Guarantees: what was noted or found is found for as long again as a session lives and is known as gone; then it disappears. Space is bounded. A store
 * that cannot be reached rejects.
 */
export interface LastDialled {
  note(key: SessionKey, service: string): Promise<void>;
  find(key: SessionKey): Promise<string | undefined>;
}

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

/** Of all processes on one Redis or Valkey. Keys are spread over the nodes of a cluster, and hold no numbers. */
export class RedisLastDialled implements LastDialled {
  readonly #redis: RedisClient;
  readonly #keptMs: number;

  constructor(redis: RedisClient, { keptMs }: { readonly keptMs: number }) {
    this.#redis = redis;
    this.#keptMs = keptMs;
  }

  async note(key: SessionKey, service: string): Promise<void> {
    await this.#redis.set(nameOf(key), service, 'PX', this.#keptMs);
  }

  async find(key: SessionKey): Promise<string | undefined> {
    return (await this.#redis.getex(nameOf(key), 'PX', this.#keptMs)) ?? undefined;
  }
}

function nameOf(key: SessionKey): string {
  return redisKey('ussd', sha256Hex(sessionName(key)).slice(0, 32), 'dialled');
}
