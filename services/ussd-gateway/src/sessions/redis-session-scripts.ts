import { RedisScript } from '@mlango/service-kit/redis';

/*
 * A session's key lives for its life and then for `goneMs` more; so what is left of that tells whether it is live, by
 * Redis's own clock: no two processes can disagree about it.
 */

/**
 * KEYS session, lock and, to read it too, place; ARGV token, lockMs. Replies nil when busy, else the stored text and its
 * ms to live, or `''`, and the place or `''`.
 */
export const holdScript = new RedisScript(`
if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
local stored = redis.call('GET', KEYS[1])
local place = KEYS[3] and redis.call('GET', KEYS[3]) or ''
if not stored then return {'', 0, place} end
return {stored, redis.call('PTTL', KEYS[1]), place}
`);

const save = `
local liveMs = tonumber(ARGV[3])
redis.call('SET', KEYS[1], ARGV[2], 'PX', liveMs + tonumber(ARGV[4]))
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if liveMs > 0 then
  redis.call('ZADD', KEYS[3], now + liveMs, ARGV[5])
  if redis.call('PTTL', KEYS[3]) < liveMs then redis.call('PEXPIRE', KEYS[3], liveMs) end
  redis.call('ZADD', KEYS[4], now + liveMs, ARGV[6])
  redis.call('PEXPIRE', KEYS[4], liveMs)
else
  redis.call('ZREM', KEYS[3], ARGV[5])
  redis.call('ZREM', KEYS[4], ARGV[6])
end
if KEYS[5] then
  if ARGV[8] ~= '' then
    redis.call('SET', KEYS[5], ARGV[7] .. ARGV[8], 'PX', liveMs + tonumber(ARGV[9]))
  elseif redis.call('GETRANGE', KEYS[5], 0, #ARGV[7] - 1) == ARGV[7] then
    redis.call('DEL', KEYS[5])
  end
end
`;

/**
 * KEYS session, lock, live, sameId and, to leave a place or take it back, place; ARGV token, record, liveMs, goneMs, name, number and
 * then owner, place or `''`, keptMs. A place is stored behind its owner. Replies 1, or 0 when the lock was lost.
 */
export const saveScript = new RedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
${save}
return 1
`);

/**
 * KEYS and ARGV as of a save, and then ARGV lockMs, what is stored or `''`. Replies the ms that were left to it if so; otherwise as a hold, with
 * the place where nothing was to be stored.
 */
export const swapScript = new RedisScript(`
local stored = redis.call('GET', KEYS[1]) or ''
local left = redis.call('PTTL', KEYS[1])
local isDial = ARGV[11] == ''
local place = isDial and KEYS[5] and redis.call('GET', KEYS[5]) or ''
if stored ~= ARGV[11] or place ~= '' or not (isDial or left > tonumber(ARGV[4])) or redis.call('GET', KEYS[2]) then
  if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[10]) then return false end
  return {stored, left, place}
end
${save}
return left
`);

/** KEYS lock; ARGV token, lockMs. Replies 1, or 0 when the lock was lost. */
export const renewScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`);

/** KEYS lock; ARGV token. */
export const letGoScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/** KEYS live. Replies how many of it are live now. */
export const countScript = new RedisScript(`
local time = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), '+inf')
`);

/** KEYS live, or sameId; ARGV how many at most, -1 for all. Replies members that are live now and when each runs out, the last to do so first. */
export const listScript = new RedisScript(`
local time = redis.call('TIME')
local after = string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return redis.call('ZREVRANGEBYSCORE', KEYS[1], '+inf', after, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
`);
