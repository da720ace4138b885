import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { readLostPlace } from './lost-place.js';
import { keysOf, liveKey, memberOf, parseMember, placeKeyOf, shardCount } from './redis-session-keys.js';
import { holdScript, letGoScript, listScript, readScript, saveScript } from './redis-session-scripts.js';
import { readRecord, type SessionRecord } from './session-record.js';
import {
  goneMs,
  type Hold,
  type Legacy,
  type SessionKey,
  type SessionStore,
  type StoredSession,
} from './session-store.js';

const storedReply = z.tuple([z.string(), z.int(), z.string()]);
const listReply = z.array(z.string());

interface LiveMember extends SessionKey {
  readonly runsOutAtMs: number;
}

/** Sessions shared by all processes on one Redis or Valkey. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold> {
    const keys = keysOf(key);
    const lock = randomUUID();
    const place = dialled === undefined ? [] : [placeKeyOf(key.phoneNumber, dialled)];
    const reply = await holdScript.run(this.#redis, [keys.session, keys.lock, ...place], [lock, lockMs]);
    if (reply === null) return { kind: 'busy' };
    const [stored, msToLive, left] = storedReply.parse(reply);
    const lostPlace = left === '' ? undefined : readLostPlace(left.slice(keys.owner.length));
    return { kind: 'held', lock, session: sessionOf(stored, msToLive), lostPlace };
  }

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: Legacy): Promise<boolean> {
    const keys = keysOf(record);
    const values = [lock, JSON.stringify(record), liveMs, goneMs, memberOf(record)];
    const names = [keys.session, keys.lock, keys.live];
    if (legacy !== undefined) {
      names.push(placeKeyOf(record.phoneNumber, record.serviceCode));
      const place = legacy.place === undefined ? '' : JSON.stringify(legacy.place);
      values.push(keys.owner, place, legacy.keptMs);
    }
    return (await saveScript.run(this.#redis, names, values)) === 1;
  }

  async letGo(key: SessionKey, lock: string): Promise<void> {
    await letGoScript.run(this.#redis, [keysOf(key).lock], [lock]);
  }

  async findLive(sessionId: string): Promise<SessionRecord | undefined> {
    const members = (await this.#listMembers()).filter((member) => member.sessionId === sessionId);
    const [latest] = members.toSorted((a, b) => b.runsOutAtMs - a.runsOutAtMs);
    if (latest === undefined) return undefined;
    const [stored, msToLive] = storedReply.parse(await readScript.run(this.#redis, [keysOf(latest).session], []));
    const session = sessionOf(stored, msToLive);
    return session?.phase === 'live' ? session.record : undefined;
  }

  async listLive(): Promise<string[]> {
    return [...new Set((await this.#listMembers()).map(({ sessionId }) => sessionId))];
  }

  async #listMembers(): Promise<LiveMember[]> {
    const shards = Array.from({ length: shardCount }, (_, shard) => listScript.run(this.#redis, [liveKey(shard)], []));
    return (await Promise.all(shards)).flatMap((reply) => {
      const parts = listReply.parse(reply);
      return Array.from({ length: parts.length / 2 }, (_, index) => ({
        ...parseMember(parts[index * 2] ?? ''),
        runsOutAtMs: Number(parts[index * 2 + 1]),
      }));
    });
  }
}

/** A record that cannot be read counts as none: its session is then replayed from the text of the next hop. */
function sessionOf(stored: string, msToLive: number): StoredSession | undefined {
  const record = stored === '' ? undefined : readRecord(stored);
  if (record === undefined) return undefined;
  return { phase: msToLive > goneMs ? 'live' : 'gone', record };
}
