import { type RedisClient, RedisScript } from '@mlango/service-kit/redis';
import { z } from 'zod';
import {
  freshLock,
  keysOf,
  liveKeysOf,
  ownerIn,
  resumePointKeyOf,
  sameIdKeys,
  savedKeysOf,
} from './redis-session-keys.js';
import { type ResumeUpdate, resumePoint } from './resume-point.js';
import { readRecord, readStored, type SessionRecord, storedText } from './session-record.js';
import {
  expiredRetentionMs,
  type Hold,
  type SessionKey,
  type SessionStore,
  sessionIdIn,
  sessionName,
} from './session-store.js';

/*
 * The key of a session expires `expiredRetentionMs` after the session. Its remaining time shows whether the session
 * is live, by the clock of Redis.
 */

/**
 * KEYS session, lock and, to read it too, resume point; ARGV token, lockMs. Replies nil if busy, else the stored text
 * and its ms to live, or `''`, and the resume point or `''`.
 */
const holdScript = new RedisScript(`
if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
local stored = redis.call('GET', KEYS[1])
local place = KEYS[3] and redis.call('GET', KEYS[3]) or ''
if not stored then return {'', 0, place} end
return {stored, redis.call('PTTL', KEYS[1]), place}
`);

/**
 * KEYS session, lock, live, sameId and, to change it, resume point; ARGV token, record, liveMs, expiredRetentionMs, name, number and then
 * owner, resume point or `''`, retentionMs. A resume point is stored behind its owner. Replies 1, or 0 if the lock expired.
 */
const saveScript = new RedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
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
return 1
`);

/** KEYS lock; ARGV token, lockMs. Replies 1, or 0 if the lock expired. */
const renewScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
`);

/** KEYS lock; ARGV token. */
const releaseScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/** KEYS live. Replies the number of live members. */
const countScript = new RedisScript(`
local time = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), '+inf')
`);

/** KEYS live, or sameId; ARGV limit, -1 for all. Replies live members with their expiry, the latest first. */
const listScript = new RedisScript(`
local time = redis.call('TIME')
local after = string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return redis.call('ZREVRANGEBYSCORE', KEYS[1], '+inf', after, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
`);

const listReply = z.array(z.string());

/** Sessions shared by all processes on one Redis or Valkey. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  async hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold> {
    const keys = keysOf(key);
    const lock = freshLock(keys.owner);
    const resumePointKey = dialled === undefined ? [] : [resumePointKeyOf(key, dialled)];
    const reply = await holdScript.run(this.#redis, [keys.session, keys.lock, ...resumePointKey], [lock, lockMs]);
    if (reply === null) return { kind: 'busy' };
    const [stored, msToLive, storedPoint] = reply as [stored: string, msToLive: number, storedPoint: string];
    // An unreadable record counts as none: the session is then replayed from the text of the next hop.
    const record = readRecord(stored);
    const session = record && { phase: msToLive > expiredRetentionMs ? ('live' as const) : ('past' as const), record };
    return { kind: 'held', lock, session, resumePoint: readStored(resumePoint, storedPoint.slice(keys.owner.length)) };
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    return (await renewScript.run(this.#redis, [keysOf(key, ownerIn(lock)).lock], [lock, lockMs])) === 1;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, resume?: ResumeUpdate): Promise<boolean> {
    const keys = savedKeysOf(record, record.serviceCode, ownerIn(lock));
    const names = [
      keys.session,
      keys.lock,
      keys.live,
      keys.sameId,
      ...(resume === undefined ? [] : [keys.resumePoint]),
    ];
    const point = resume?.point === undefined ? '' : JSON.stringify(resume.point);
    const reply = await saveScript.run(this.#redis, names, [
      lock,
      storedText(record),
      liveMs,
      expiredRetentionMs,
      sessionName(record),
      record.phoneNumber,
      keys.owner,
      point,
      resume?.retentionMs ?? 0,
    ]);
    return reply === 1;
  }

  async release(key: SessionKey, lock: string): Promise<void> {
    await releaseScript.run(this.#redis, [keysOf(key, ownerIn(lock)).lock], [lock]);
  }

  async findLive(sessionId: string, scopes: readonly string[]): Promise<SessionRecord | undefined> {
    const found = await Promise.all(
      scopes.map(async (aggregator) =>
        (await this.#list(sameIdKeys(aggregator, sessionId), 1)).map(([phoneNumber, expiresAtMs]) => ({
          key: { aggregator, sessionId, phoneNumber },
          expiresAtMs: Number(expiresAtMs),
        })),
      ),
    );
    const [latest] = found.flat().toSorted((a, b) => b.expiresAtMs - a.expiresAtMs);
    const stored = latest && (await this.#redis.get(keysOf(latest.key).session));
    const record = readRecord(stored ?? '');
    return record?.ended === false ? record : undefined;
  }

  async listLive(tenant: string): Promise<string[]> {
    const live = await this.#list(liveKeysOf(tenant), -1);
    return [...new Set(live.map(([name]) => sessionIdIn(name)))];
  }

  async countLive(tenant: string): Promise<number> {
    const counts = await Promise.all(liveKeysOf(tenant).map((key) => countScript.run(this.#redis, [key], [])));
    return counts.reduce((sum: number, count) => sum + z.int().parse(count), 0);
  }

  /** The live members of each set, with their expiry. */
  async #list(sets: readonly string[], max: number): Promise<[member: string, expiresAtMs: string][]> {
    const replies = await Promise.all(sets.map((key) => listScript.run(this.#redis, [key], [max])));
    return replies.flatMap((reply) => {
      const parts = listReply.parse(reply);
      return Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at] ?? '', parts[2 * at + 1] ?? '']);
    });
  }
}
