import type { RedisClient } from '@mlango/service-kit/redis';
import { z } from 'zod';
import { type KnownSession, KnownSessions } from './known-sessions.js';
import { type Legacy, lostPlace } from './lost-place.js';
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
import {
  countScript,
  holdScript,
  letGoScript,
  listScript,
  renewScript,
  saveScript,
  swapScript,
} from './redis-session-scripts.js';
import { readRecord, readStored, type SessionRecord, storedText } from './session-record.js';
import {
  type FarSessionStore,
  goneMs,
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

  async save(lock: string, record: SessionRecord, liveMs: number, legacy?: Legacy): Promise<boolean> {
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
    legacy?: Legacy,
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
    return { kind: 'saved', leftMs: reply - goneMs };
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

/** Reads what the script of a hold replies. */
function readHold(reply: unknown, lock: string): Hold {
  if (reply === null) return { kind: 'busy' };
  const [stored, msToLive, left] = reply as [stored: string, msToLive: number, left: string];
  // What cannot be read counts as none: the session is then replayed from the text of the next hop.
  const record = readRecord(stored);
  const session = record && { phase: msToLive > goneMs ? ('live' as const) : ('gone' as const), record };
  return { kind: 'held', lock, session, lostPlace: readStored(lostPlace, left.slice(ownerIn(lock).length)) };
}

function savingOf(record: SessionRecord, keys: SavedKeys): KnownSession {
  return { name: sessionName(record), record, text: storedText(record), keys };
}

/** The keys that the script of a save is given, and that of a swap. */
function keysIn({ keys: { session, lock, live, sameId, place } }: KnownSession, legacy: Legacy | undefined): string[] {
  return legacy === undefined ? [session, lock, live, sameId] : [session, lock, live, sameId, place];
}

/** The values that the script of a save is given. */
function valuesOf(
  lock: string,
  { name, record, text, keys }: KnownSession,
  liveMs: number,
  legacy: Legacy | undefined,
) {
  const place = legacy?.place === undefined ? '' : JSON.stringify(legacy.place);
  return [lock, text, liveMs, goneMs, name, record.phoneNumber, keys.owner, place, legacy?.keptMs ?? 0];
}
