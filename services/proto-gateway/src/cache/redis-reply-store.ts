import { createHash } from 'node:crypto';
import { type RedisClient, RedisScript, key as redisKey } from '@mlango/service-kit/redis';
import type { ReplyStore } from './cluster.js';

export interface RedisReplyStoreOptions {
  readonly service: string;
  /** Of all values together; beyond it the oldest go. */
  readonly limitBytes: number;
  /** How long a value is kept. */
  readonly ttlMs: number;
}

/** Each has its share of the bytes, and lies on one node of a cluster. */
const PARTS = 16;
/** What a value costs beside its own bytes: its key, and its place in the index. */
const ENTRY_BYTES = 300;
/** How long what was handed over lies there. */
const PUBLISHED_MS = 2000;

/** KEYS: the value, the index of its part, the bytes of that. ARGV: value, ttl, now, limit, what stands in the index, its size. */
const saveScript = new RedisScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') == false then return 0 end
local now, size = tonumber(ARGV[3]), tonumber(ARGV[6])
local total = tonumber(redis.call('GET', KEYS[3]) or '0')
local expiry = now + tonumber(ARGV[2])
local newest = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
-- Of one millisecond, too, the first goes first.
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

/** KEYS: who asks, that somebody waits. ARGV: token, ttl. */
const claimScript = new RedisScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
  redis.call('DEL', KEYS[2])
  return ARGV[1]
end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return redis.call('GET', KEYS[1])`);

/** KEYS: who asks, that somebody waits. ARGV: token. */
const releaseScript = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1], KEYS[2])`);

/**
 * Replies in Redis. The bytes are counted in an index of each part, by the script that keeps a value: what Redis itself does when
 * it is full would take limits and used tokens with it, which lie beside them.
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
      asking: redisKey(service, tag, 'asking', name),
      waiting: redisKey(service, tag, 'waiting', name),
      index: redisKey(service, tag, 'index'),
      bytes: redisKey(service, tag, 'bytes'),
      handed: (token: string) => redisKey(service, tag, 'handed', token),
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
      const { asking, waiting } = keysOf(key);
      return String(await claimScript.run(client, [asking, waiting], [token, forMs]));
    },
    async hasWaiters(key) {
      return (await client.exists(keysOf(key).waiting)) === 1;
    },
    async release(key, token) {
      const { asking, waiting } = keysOf(key);
      await releaseScript.run(client, [asking, waiting], [token]);
    },
    async publish(key, token, value) {
      await client.set(keysOf(key).handed(token), value, 'PX', PUBLISHED_MS);
    },
    async poll(key, token) {
      const { value, asking, handed } = keysOf(key);
      const [kept, given, holder] = await client.mgetBuffer(value, handed(token), asking);
      return { value: kept ?? given ?? undefined, isAsking: holder?.toString() === token };
    },
  };
}
