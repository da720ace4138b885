import { type RedisClient, RedisScript } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { type KnownSession, KnownSessions } from './known-sessions.js';
import {
  freshLock,
  keysOf,
  liveKeysOf,
  ownerIn,
  placeKeyOf,
  type SavedKeys,
  sameIdKeys,
  savedKeysOf,
} from './redis-session-keys.js';
import { type ResumeUpdate, resumePoint } from './resume-point.js';
import { readRecord, readStored, type SessionRecord, storedText } from './session-record.js';
import {
  expiredRetentionMs,
  type FarSessionStore,
  type Hold,
  type SessionKey,
  type Swap,
  sessionIdIn,
  sessionName,
} from './session-store.js';

const listReply = z.array(z.string());

/** Sessions shared by all processes on one Redis or Valkey. */
export class RedisSessionStore implements FarSessionStore {
  readonly #redis: RedisClient;
  readonly #known = new KnownSessions();

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  async hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold> {
    const keys = keysOf(key);
    const lock = freshLock(keys.owner);
    const place = dialled === undefined ? [] : [placeKeyOf(key, dialled)];
    const reply = await holdScript.run(this.#redis, [keys.session, keys.lock, ...place], [lock, lockMs]);
    return readHold(reply, lock);
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    return (await renewScript.run(this.#redis, [keysOf(key, ownerIn(lock)).lock], [lock, lockMs])) === 1;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: ResumeUpdate): Promise<boolean> {
    const saving = savingOf(record, savedKeysOf(record, record.serviceCode, ownerIn(lock)));
    const reply = await saveScript.run(this.#redis, keysIn(saving, legacy), valuesOf(lock, saving, liveMs, legacy));
    if (reply !== 1) return false;
    this.#known.remember(saving, liveMs);
    return true;
  }

  lastSaved(key: SessionKey): SessionRecord | undefined {
    return this.#known.find(sessionName(key))?.record;
  }

  async swap(
    known: SessionRecord | undefined,
    record: SessionRecord,
    lockMs: number,
    liveMs: number,
    legacy?: ResumeUpdate,
  ): Promise<Swap> {
    // Whatever comes of it, that is not what is stored any more.
    const last = this.#known.take(sessionName(record));
    const isSameCode = last?.record.serviceCode === record.serviceCode;
    const saving = savingOf(record, isSameCode ? last.keys : savedKeysOf(record, record.serviceCode));
    const lock = freshLock(saving.keys.owner);
    const expected = known === undefined ? '' : (last?.text ?? storedText(known));
    const values = [...valuesOf(lock, saving, liveMs, legacy), lockMs, expected];
    const reply = await swapScript.run(this.#redis, keysIn(saving, legacy), values);
    if (typeof reply !== 'number') return readHold(reply, lock);
    this.#known.remember(saving, liveMs);
    return { kind: 'saved', leftMs: reply - expiredRetentionMs };
  }

  async release(key: SessionKey, lock: string): Promise<void> {
    await releaseScript.run(this.#redis, [keysOf(key, ownerIn(lock)).lock], [lock]);
  }

  async findLive(sessionId: string, lines: readonly string[]): Promise<SessionRecord | undefined> {
    const found = await Promise.all(
      lines.map(async (one) =>
        (await this.#list(sameIdKeys(one, sessionId), 1)).map(([phoneNumber, runsOutAtMs]) => ({
          key: { aggregator: one, sessionId, phoneNumber },
          runsOutAtMs: Number(runsOutAtMs),
        })),
      ),
    );
    const [latest] = found.flat().toSorted((a, b) => b.runsOutAtMs - a.runsOutAtMs);
    const stored = latest && (await this.#redis.get(keysOf(latest.key).session));
    const record = readRecord(stored ?? '');
    return record?.ended === false ? record : undefined;
  }

  async listLive(service: string): Promise<string[]> {
    const live = await this.#list(liveKeysOf(service), -1);
    return [...new Set(live.map(([name]) => sessionIdIn(name)))];
  }

  async countLive(service: string): Promise<number> {
    const counts = await Promise.all(liveKeysOf(service).map((key) => countScript.run(this.#redis, [key], [])));
    return counts.reduce((sum: number, count) => sum + z.int().parse(count), 0);
  }

  /** Of each set what is live now, and when it runs out. */
  async #list(sets: readonly string[], most: number): Promise<[member: string, runsOutAtMs: string][]> {
    const replies = await Promise.all(sets.map((key) => listScript.run(this.#redis, [key], [most])));
    return replies.flatMap((reply) => {
      const parts = listReply.parse(reply);
      return Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at] ?? '', parts[2 * at + 1] ?? '']);
    });
  }
}

/** Reads what the script of a hold replies. */
function readHold(reply: unknown, lock: string): Hold {
  if (reply === null) return { kind: 'busy' };
  const [stored, msToLive, left] = reply as [stored: string, msToLive: number, left: string];
  // What cannot be read counts as none: the session is then replayed from the text of the next hop.
  const record = readRecord(stored);
  const session = record && { phase: msToLive > expiredRetentionMs ? ('live' as const) : ('gone' as const), record };
  return { kind: 'held', lock, session, lostPlace: readStored(resumePoint, left.slice(ownerIn(lock).length)) };
}

function savingOf(record: SessionRecord, keys: SavedKeys): KnownSession {
  return { name: sessionName(record), record, text: storedText(record), keys };
}

/** The keys that the script of a save is given, and that of a swap. */
function keysIn(
  { keys: { session, lock, live, sameId, place } }: KnownSession,
  legacy: ResumeUpdate | undefined,
): string[] {
  return legacy === undefined ? [session, lock, live, sameId] : [session, lock, live, sameId, place];
}

/** The values that the script of a save is given. */
function valuesOf(
  lock: string,
  { name, record, text, keys }: KnownSession,
  liveMs: number,
  legacy: ResumeUpdate | undefined,
) {
  const place = legacy?.point === undefined ? '' : JSON.stringify(legacy.point);
  return [
    lock,
    text,
    liveMs,
    expiredRetentionMs,
    name,
    record.phoneNumber,
    keys.owner,
    place,
    legacy?.retentionMs ?? 0,
  ];
}

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
export const releaseScript = new RedisScript(`
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
