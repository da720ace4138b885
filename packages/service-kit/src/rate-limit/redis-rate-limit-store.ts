import { createHash } from 'node:crypto';
import { key as redisKey } from '../redis/key.js';
import type { RedisClient } from '../redis/redis-client.js';
import { RedisScript } from '../redis/redis-script.js';
import type { RateLimitHit, RateLimitStore } from './rate-limit-store.js';

// One round trip, and the counter never outlives its window: a counter without an end, or with one further off than the
// window is long, gets one. PTTL may be 0 in a key's last millisecond.
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
  if (typeof count !== 'number' || typeof left !== 'number') throw new Error('the rate limit script gave no counts');
  return { count, resetMs: Math.max(1, left) };
}

/** Whatever a caller sends as its identity, the stored key stays small and valid. A digest cannot be taken for a key. */
function shorten(key: string): string {
  if (key !== '' && key.length <= LONGEST_PLAIN_KEY && !/\p{Surrogate}/u.test(key)) return `=${key}`;
  return `#${createHash('sha256').update(key, 'utf16le').digest('base64url')}`;
}
