import { createHash } from 'node:crypto';
import { type RedisClient, RedisScript, key as redisKey } from '@mlango/service-kit/redis';
import type { ReplyStore } from './cluster.js';

export interface RedisReplyStoreOptions {
  readonly service: string;
  /** Total size of the values; the oldest are evicted beyond it. */
  readonly limitBytes: number;
  /** Lifetime of a value. */
  readonly ttlMs: number;
}

/** Each part has its share of the bytes and one slot of a Redis Cluster. */
const PARTS = 16;
/** Size of an entry in addition to its value: key and index entry. */
const ENTRY_BYTES = 300;
/** Lifetime of a published value. */
const PUBLISHED_MS = 2000;

/** KEYS: value, index of its part, bytes of its part. ARGV: value, ttl, now, limit, index entry, size. */
const saveScript = new RedisScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') == false then return 0 end
local now, size = tonumber(ARGV[3]), tonumber(ARGV[6])
local total = tonumber(redis.call('GET', KEYS[3]) or '0')
local expiry = now + tonumber(ARGV[2])
local newest = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
-- Keeps the order of values of one millisecond.
if newest[1] ~= nil then expiry = math.max(expiry, tonumber(newest[2]) + 0.001) end
if redis.call('ZADD', KEYS[2], string.format('%.3f', expiry), ARGV[5]) == 1 then total = total + size end
while true do
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  if oldest[1] == nil or (total <= tonumber(ARGV[4]) and tonumber(oldest[2]) > now) then break end
  redis.call('ZREM', KEYS[2], oldest[1])
  local at = string.find(oldest[1], ' ', 1, true)
  redis.call('DEL', string.sub(oldest[1], at + 1))
  total = total - tonumber(string.sub(oldest[1], 1, at - 1))
end
redis.call('SET', KEYS[3], total, 'PX', ARGV[2] * 2)
redis.call('PEXPIRE', KEYS[2], ARGV[2] * 2)
return 1`);

/** KEYS: owner of the call, whether a replica waits. ARGV: token, ttl. */
const claimScript = new RedisScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
  redis.call('DEL', KEYS[2])
  return ARGV[1]
end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return redis.call('GET', KEYS[1])`);

/** KEYS: owner of the call, whether a replica waits. ARGV: token. */
const releaseScript = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1], KEYS[2])`);

/**
 * Replies in Redis. The save script counts the bytes in an index per part. Redis' own eviction is no substitute: it would also
 * evict rate limits and used tokens.
 */
export function redisReplyStore(
  client: RedisClient,
  { service, limitBytes, ttlMs }: RedisReplyStoreOptions,
): ReplyStore {
  const keysOf = (key: string) => {
    const digest = createHash('sha256').update(key).digest();
    const tag = `replies-${(digest[0] ?? 0) % PARTS}`;
    const name = digest.toString('base64url');
    return {
      value: redisKey(service, tag, 'value', name),
      claimed: redisKey(service, tag, 'asking', name),
      waiting: redisKey(service, tag, 'waiting', name),
      index: redisKey(service, tag, 'index'),
      bytes: redisKey(service, tag, 'bytes'),
      published: (token: string) => redisKey(service, tag, 'handed', token),
    };
  };
  return {
    async find(key) {
      return (await client.getBuffer(keysOf(key).value)) ?? undefined;
    },
    async save(key, value) {
      const { value: at, index, bytes } = keysOf(key);
      const size = value.length + ENTRY_BYTES;
      if (size > limitBytes / PARTS) return;
      const rest = [value, ttlMs, Date.now(), Math.floor(limitBytes / PARTS), `${size} ${at}`, size];
      await saveScript.run(client, [at, index, bytes], rest);
    },
    async claim(key, token, forMs) {
      const { claimed, waiting } = keysOf(key);
      return String(await claimScript.run(client, [claimed, waiting], [token, forMs]));
    },
    async hasWaiters(key) {
      return (await client.exists(keysOf(key).waiting)) === 1;
    },
    async release(key, token) {
      const { claimed, waiting } = keysOf(key);
      await releaseScript.run(client, [claimed, waiting], [token]);
    },
    async publish(key, token, value) {
      await client.set(keysOf(key).published(token), value, 'PX', PUBLISHED_MS);
    },
    async poll(key, token) {
      const { value, claimed, published } = keysOf(key);
      const [saved, sent, holder] = await client.mgetBuffer(value, published(token), claimed);
      return { value: saved ?? sent ?? undefined, isClaimed: holder?.toString() === token };
    },
  };
}
