import { hash } from 'node:crypto';
import { key, RedisScript } from '@mlango/service-kit/redis';
import type { LoggedEvent, RunFrame, RunKey } from './store.js';

/*
 * A run is a hash (writer, last frame, whether it has ended) and a stream of its frames. Stream entries have the ids of the frames
 * and the fields event, data and text length. Both keys share a hash tag, so they lie in one slot, and both expire with the retention.
 */

/**
 * KEYS head, frames; ARGV writer, retentionMs, then id, event, data and textLength of each frame. Replies 1, or 0 when the run has another
 * writer or has ended. An open log of the same writer is replaced. The first write needs memory, so a server without any refuses.
 */
export const beginScript = new RedisScript(`
local state = redis.call('HMGET', KEYS[1], 'writer', 'ended')
if state[2] or (state[1] and state[1] ~= ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'writer', ARGV[1], 'last', 0)
if state[1] then redis.call('DEL', KEYS[2]) end
for i = 3, #ARGV, 4 do
  redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'e', ARGV[i + 1], 'd', ARGV[i + 2], 't', ARGV[i + 3])
  redis.call('HSET', KEYS[1], 'last', ARGV[i])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

/** KEYS head; ARGV writer. Replies 1, or 0 when the run is absent or has ended. Also works on a server that is out of memory. */
export const takeOverScript = new RedisScript(`
local state = redis.call('HMGET', KEYS[1], 'writer', 'ended')
if not state[1] or state[2] then return 0 end
redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1]))
redis.call('HSET', KEYS[1], 'writer', ARGV[1])
return 1
`);

/**
 * KEYS head and frames of each run; ARGV publish command (PUBLISH or SPUBLISH), then for each run: writer, ended (1 or 0), retention in
 * ms, number of frames, and id, event, data, textLength of each. The channel has the name of the stream. Replies for each run
 * 1, 0 for another writer, -1 for a missing run or one that lacks frames before these, or the error of that run. An end without frames
 * also works on a server that is out of memory, because its first commands need none.
 */
export const appendScript = new RedisScript(`
local function append(head, frames, from)
  local state = redis.call('HMGET', head, 'writer', 'ended', 'last')
  if not state[1] then return -1 end
  if state[1] ~= ARGV[from] or state[2] then return 0 end
  local last = tonumber(state[3] or '0')
  for i = from + 4, from + 4 * ARGV[from + 3], 4 do
    local id = tonumber(ARGV[i])
    if id > last + 1 then return -1 end
    if id > last then
      redis.call('XADD', frames, ARGV[i] .. '-0', 'e', ARGV[i + 1], 'd', ARGV[i + 2], 't', ARGV[i + 3])
      last = id
    end
  end
  redis.call('PEXPIRE', head, ARGV[from + 2])
  redis.call('PEXPIRE', frames, ARGV[from + 2])
  redis.call('HSET', head, 'last', last)
  if ARGV[from + 1] == '1' then redis.call('HSET', head, 'ended', 1) end
  redis.call(ARGV[1], frames, last)
  return 1
end
local replies = {}
local from = 2
for i = 1, #KEYS, 2 do
  local isDone, reply = pcall(append, KEYS[i], KEYS[i + 1], from)
  if not isDone then reply = tostring(type(reply) == 'table' and reply.err or reply) end
  replies[#replies + 1] = reply
  from = from + 4 + 4 * ARGV[from + 3]
end
return replies
`);

/** KEYS head, frames; ARGV after, limitChars. Replies nil without the run, else ended, last and the entries that fit. */
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

/** Compact storage of text frames: the time in base 36, a blank, and the text as JSON. */
const textEvent = 'm';
const [beforeText, afterText, afterTime] = ['{"content":', ',"timestamp":"', '"}'];
const timeLength = '2026-01-01T00:00:00.000Z'.length;

/** Event, data and text length, as fields of a stream entry. */
export type FrameFields = readonly [event: string, data: string, textLength: number];

export function fieldsOf({ event, data, textLength }: RunFrame): FrameFields {
  const timeAt = data.length - afterTime.length - timeLength;
  const timestamp = event === 'message' && data.endsWith(afterTime) ? data.slice(timeAt, -afterTime.length) : '';
  const ms = Date.parse(timestamp);
  // An invalid day is parsed as another day.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== timestamp) return [event, data, textLength];
  const textEnd = timeAt - afterText.length;
  if (!data.startsWith(beforeText) || !data.startsWith(afterText, textEnd)) return [event, data, textLength];
  return [textEvent, `${ms.toString(36)} ${data.slice(beforeText.length, textEnd)}`, textLength];
}

/** Parses a stream entry: its id, and its fields with their names. */
export function readEntry([id, fields]: readonly [string, readonly string[]]): RunFrame {
  const [, event = '', , data = '', , textLength = ''] = fields;
  return { id: Number.parseInt(id, 10), ...eventOf(event, data), textLength: Number(textLength) };
}

function eventOf(event: string, data: string): { event: LoggedEvent['event']; data: string } {
  if (event !== textEvent) return { event: event as LoggedEvent['event'], data };
  const blank = data.indexOf(' ');
  const timestamp = new Date(Number.parseInt(data.slice(0, blank), 36)).toISOString();
  return { event: 'message', data: `{"content":${data.slice(blank + 1)},"timestamp":"${timestamp}"}` };
}

/** Redis keys of a run. */
export interface RunKeys {
  readonly head: string;
  /** Also the name of the run's notification channel. */
  readonly stream: string;
}

/** The key contains the owner, so a run is found under its owner only. */
export function keysOf({ runId, ownerDid }: RunKey): RunKeys {
  const owner = hash('sha256', ownerDid, 'base64url').slice(0, 22);
  return { head: key('oracle-api', runId, 'run', owner), stream: key('oracle-api', runId, 'frames', owner) };
}
