import { createHash } from 'node:crypto';
import type { Logger } from '../logging/index.js';
import { key as redisKey } from '../redis/key.js';
import type { RedisConnection } from '../redis/open-redis.js';
import type { RedisClient } from '../redis/redis-client.js';
import { RedisScript } from '../redis/redis-script.js';
import { withLocalCeiling } from './local-ceiling.js';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import type { RateLimitHit, RateLimitStore } from './rate-limit-store.js';

// One round trip, and the counter never outlives its window: a counter without an expiry, or with one beyond the window, gets a
// new one. PTTL may be 0 in a key's last millisecond.
const hitScript = new RedisScript(`
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }
`);

const LONGEST_PLAIN_KEY = 200;

export interface RedisRateLimitOptions {
  /** First part of the stored keys: services that share a Redis count apart. Default `rate-limit`. */
  readonly service?: string;
}

/** Counts in Redis, for all replicas together. */
export function redisRateLimitStore(client: RedisClient, options: RedisRateLimitOptions = {}): RateLimitStore {
  const { service = 'rate-limit' } = options;
  const nameOf = (key: string, windowMs: number) => redisKey(service, shorten(key), 'hits', windowMs);
  return {
    hit: async (key, windowMs, cost = 1) =>
      readReply(await hitScript.run(client, [nameOf(key, windowMs)], [windowMs, cost])),
    forget: async (key, windowMs) => {
      await client.del(nameOf(key, windowMs));
    },
  };
}

function readReply(reply: unknown): RateLimitHit {
  const [count, left]: unknown[] = Array.isArray(reply) ? reply : [];
  if (typeof count !== 'number' || typeof left !== 'number')
    throw new Error('the rate limit script returned no counts');
  return { count, resetMs: Math.max(1, left) };
}

/** The stored key stays small and valid for any identity that a caller sends. A digest cannot collide with a key. */
function shorten(key: string): string {
  if (key !== '' && key.length <= LONGEST_PLAIN_KEY && !/\p{Surrogate}/u.test(key)) return `=${key}`;
  return `#${createHash('sha256').update(key, 'utf16le').digest('base64url')}`;
}

interface Waiting {
  /** The cost of the hits before it and of itself. */
  readonly upTo: number;
  readonly resolve: (hit: RateLimitHit) => void;
  readonly reject: (error: unknown) => void;
}

interface Batch {
  readonly key: string;
  readonly windowMs: number;
  cost: number;
  readonly hits: Waiting[];
}

/**
 * Counts the hits of one key in one turn of the event loop as one, by their total cost: under load most requests come from few
 * addresses. Each hit returns its own count, as if it had been counted alone.
 *
 * @param atEndOfTurn does work once the turn is over.
 */
export function hitsTogether(store: RateLimitStore, atEndOfTurn: (work: () => void) => void): RateLimitStore {
  const open = new Map<string, Batch>();

  const close = (batch: Batch): void => {
    const { key, windowMs, cost, hits } = batch;
    if (open.get(key) !== batch) return;
    open.delete(key);
    store.hit(key, windowMs, cost).then(
      ({ count, resetMs }) => {
        for (const { upTo, resolve } of hits) resolve({ count: count - cost + upTo, resetMs });
      },
      (error: unknown) => {
        for (const { reject } of hits) reject(error);
      },
    );
  };

  const batchOf = (key: string, windowMs: number): Batch => {
    const known = open.get(key);
    if (known?.windowMs === windowMs) return known;
    // One key is rarely counted in two windows at once; the order of hits is correct even then.
    if (known !== undefined) close(known);
    const batch = { key, windowMs, cost: 0, hits: [] };
    open.set(key, batch);
    atEndOfTurn(() => close(batch));
    return batch;
  };

  return {
    hit: (key, windowMs, cost = 1) =>
      new Promise((resolve, reject) => {
        const batch = batchOf(key, windowMs);
        batch.cost += cost;
        batch.hits.push({ upTo: batch.cost, resolve, reject });
      }),
    forget: (key, windowMs) => {
      const batch = open.get(key);
      if (batch !== undefined) close(batch);
      return store.forget(key, windowMs);
    },
  };
}

/**
 * The rate limit store of a service: Redis for all its replicas, with the ceiling of this process while Redis is unavailable, and
 * the hits of one turn combined; without Redis this process alone.
 *
 * @param service first part of the stored keys.
 */
export function serviceRateLimitStore(
  redis: Pick<RedisConnection, 'client' | 'atEndOfTurn'> | undefined,
  service: string,
  logger: Logger,
): RateLimitStore {
  const local = memoryRateLimitStore();
  if (redis === undefined) return local;
  return hitsTogether(
    withLocalCeiling(redisRateLimitStore(redis.client, { service }), local, logger),
    redis.atEndOfTurn,
  );
}
