import type { RedisClient } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { lostPlace } from './lost-place.js';
import { freshLock, keysOf, liveKeysOf, ownerIn, placeKeyOf, sameIdKeyOf, sameIdKeys } from './redis-session-keys.js';
import { countScript, holdScript, letGoScript, listScript, renewScript, saveScript } from './redis-session-scripts.js';
import { readRecord, readStored, type SessionRecord, storedText } from './session-record.js';
import {
  goneMs,
  type Hold,
  type Legacy,
  type SessionKey,
  type SessionStore,
  sessionIdIn,
  sessionName,
} from './session-store.js';

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
    const place = dialled === undefined ? [] : [placeKeyOf(key, dialled)];
    const reply = await holdScript.run(this.#redis, [keys.session, keys.lock, ...place], [lock, lockMs]);
    if (reply === null) return { kind: 'busy' };
    const [stored, msToLive, left] = reply as [stored: string, msToLive: number, left: string];
    // What cannot be read counts as none: the session is then replayed from the text of the next hop.
    const record = readRecord(stored);
    const session = record && { phase: msToLive > goneMs ? ('live' as const) : ('gone' as const), record };
    return { kind: 'held', lock, session, lostPlace: readStored(lostPlace, left.slice(keys.owner.length)) };
  }

  async renew(key: SessionKey, lock: string, lockMs: number): Promise<boolean> {
    return (await renewScript.run(this.#redis, [keysOf(key, ownerIn(lock)).lock], [lock, lockMs])) === 1;
  }

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: Legacy): Promise<boolean> {
    const keys = keysOf(record, ownerIn(lock));
    const values = [lock, storedText(record), liveMs, goneMs, sessionName(record), record.phoneNumber];
    const names = [keys.session, keys.lock, keys.live, sameIdKeyOf(record)];
    if (legacy !== undefined) {
      names.push(placeKeyOf(record, record.serviceCode));
      const place = legacy.place === undefined ? '' : JSON.stringify(legacy.place);
      values.push(keys.owner, place, legacy.keptMs);
    }
    return (await saveScript.run(this.#redis, names, values)) === 1;
  }

  async letGo(key: SessionKey, lock: string): Promise<void> {
    await letGoScript.run(this.#redis, [keysOf(key, ownerIn(lock)).lock], [lock]);
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
