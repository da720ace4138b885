import { RedisScript } from './redis-script.js';

/*
 * A run is a hash (who writes it, its last frame, whether it has ended) and a stream of its frames, whose entry ids are
 * the frames' own. Both share a tag, so they lie in one slot, and both run out with the retention.
 */

/** KEYS head; ARGV writer, retentionMs. Replies 1, or 0 when there is such a run. */
export const beginScript = new RedisScript(`
if redis.call('HSETNX', KEYS[1], 'writer', ARGV[1]) == 0 then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

/** KEYS head; ARGV writer. Replies 1, or 0 when there is no such run or it has ended. */
export const takeOverScript = new RedisScript(`
local state = redis.call('HMGET', KEYS[1], 'writer', 'ended')
if not state[1] or state[2] then return 0 end
redis.call('HSET', KEYS[1], 'writer', ARGV[1])
return 1
`);

/** KEYS head, frames; ARGV writer, retentionMs, channel, ended (1 or 0), then id, event, data, textLength of each frame. */
export const appendScript = new RedisScript(`
local state = redis.call('HMGET', KEYS[1], 'writer', 'ended', 'last')
if state[1] ~= ARGV[1] or state[2] then return 0 end
local last = tonumber(state[3] or '0')
for i = 5, #ARGV, 4 do
  local id = tonumber(ARGV[i])
  if id > last then
    redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'e', ARGV[i + 1], 'd', ARGV[i + 2], 't', ARGV[i + 3])
    last = id
  end
end
redis.call('HSET', KEYS[1], 'last', last)
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'ended', 1) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('PUBLISH', ARGV[3], last)
return 1
`);

/** KEYS head, frames; ARGV after, limitChars. Replies nil for no such run, else ended, last and the entries that fit. */
export const readScript = new RedisScript(`
local state = redis.call('HMGET', KEYS[1], 'writer', 'ended', 'last')
if not state[1] then return false end
local entries = {}
local chars = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '(' .. ARGV[1] .. '-0', '+', 'COUNT', 256)) do
  chars = chars + #entry[2][4]
  if #entries > 0 and chars > tonumber(ARGV[2]) then break end
  entries[#entries + 1] = entry
end
return {state[2] and 1 or 0, tonumber(state[3] or '0'), entries}
`);
