import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { readLostPlace } from './lost-place.js';
import { keysOf, liveKey, placeKeyOf, sameIdKeys, sessionIdIn, shardCount } from './redis-session-keys.js';
import {
  findScript,
  holdScript,
  letGoScript,
  listScript,
  readScript,
  renewScript,
  saveScript,
} from './redis-session-scripts.js';
import { readRecord, type SessionRecord } from './session-record.js';
import {
  goneMs,
  type Hold,
  type Legacy,
  type SessionKey,
  type SessionStore,
  type StoredSession,
  sessionName,
} from './session-store.js';

const storedReply = z.tuple([z.string(), z.int(), z.string()]);
const listReply = z.array(z.string());

interface LiveMember extends SessionKey {
  readonly runsOutAtMs: number;
}

/** Sessions shared by all processes on one Redis or Valkey. */
export class RedisSessionStore implements SessionStore {
  readonly #redis: Redis;
  readonly #aggregators: readonly string[];

  /** @param aggregators the ids of those whose sessions there may be. */
  constructor(redis: Redis, aggregators: readonly string[]) {
    this.#redis = redis;
    this.#aggregators = aggregators;
  }

  async hold(key: SessionKey, lockMs: number, dialled?: string): Promise<Hold> {
    const keys = keysOf(key);
    const lock = randomUUID();
    const place = dialled === undefined ? [] : [placeKeyOf(key, dialled)];
    const reply = await holdScript.run(this.#redis, [keys.session, keys.lock, ...place], [lock, lockMs]);
    if (reply === null) return { kind: 'busy' };
    const [stored, msToLive, left] = storedReply.parse(reply);
    const lostPlace = left === '' ? undefined : readLostPlace(left.slice(keys.owner.length));
    return { kind: 'held', lock, session: sessionOf(stored, msToLive), lostPlace };
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    return (await renewScript.run(this.#redis, [keysOf(key).lock], [lock, lockMs])) === 1;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: Legacy): Promise<boolean> {
    const keys = keysOf(record);
    const values = [lock, JSON.stringify(record), liveMs, goneMs, sessionName(record), record.phoneNumber];
    const names = [keys.session, keys.lock, keys.live, keys.sameId];
    if (legacy !== undefined) {
      names.push(placeKeyOf(record, record.serviceCode));
      const place = legacy.place === undefined ? '' : JSON.stringify(legacy.place);
      values.push(keys.owner, place, legacy.keptMs);
    }
    return (await saveScript.run(this.#redis, names, values)) === 1;
  }

  async letGo(key: SessionKey, lock: string): Promise<void> {
    await letGoScript.run(this.#redis, [keysOf(key).lock], [lock]);
  }

  async findLive(sessionId: string, aggregator?: string): Promise<SessionRecord | undefined> {
    const asked = aggregator === undefined ? this.#aggregators : [aggregator];
    const found = await Promise.all(asked.map((one) => this.#findNumbers(one, sessionId)));
    const [latest] = found.flat().toSorted((a, b) => b.runsOutAtMs - a.runsOutAtMs);
    if (latest === undefined) return undefined;
    const [stored, msToLive] = storedReply.parse(await readScript.run(this.#redis, [keysOf(latest).session], []));
    const session = sessionOf(stored, msToLive);
    return session?.phase === 'live' ? session.record : undefined;
  }

  /** The number of each shard that was last to press a key under this id. */
  async #findNumbers(aggregator: string, sessionId: string): Promise<LiveMember[]> {
    const shards = sameIdKeys(aggregator, sessionId).map((key) => findScript.run(this.#redis, [key], []));
    return (await Promise.all(shards)).flatMap((reply) => {
      const [phoneNumber, runsOutAtMs] = listReply.parse(reply);
      return phoneNumber === undefined
        ? []
        : [{ aggregator, sessionId, phoneNumber, runsOutAtMs: Number(runsOutAtMs) }];
    });
  }

  async listLive(): Promise<string[]> {
    const shards = Array.from({ length: shardCount }, (_, shard) => listScript.run(this.#redis, [liveKey(shard)], []));
    const names = (await Promise.all(shards)).flatMap((reply) => listReply.parse(reply));
    return [...new Set(names.map((name) => sessionIdIn(name)))];
  }
}

/** A record that cannot be read counts as none: its session is then replayed from the text of the next hop. */
function sessionOf(stored: string, msToLive: number): StoredSession | undefined {
  const record = stored === '' ? undefined : readRecord(stored);
  if (record === undefined) return undefined;
  return { phase: msToLive > goneMs ? 'live' : 'gone', record };
}
