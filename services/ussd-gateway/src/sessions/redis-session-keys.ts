import { sha256Hex } from '@mlango/crypto/hashing';
import { key as redisKey } from '@mlango/service-kit/redis';
import { scoped, tenantOf } from './session-scope.js';
import { randomId } from './session-secrets.js';
import { resumePointName, type SessionKey, sessionName } from './session-store.js';

/** Sessions are spread over so many hash tags, and so over the nodes of a cluster. Changing it loses live sessions. */
export const shardCount = 16;

/** 128 bits in hexadecimal: it keeps keys short, and free of whatever bytes a gateway puts into an id. */
const digestChars = 32;

/** The beginnings of all keys: a digest behind them needs no encoding. */
const tags = Array.from({ length: shardCount }, (_, shard) => redisKey('ussd', String(shard)));

/** Sorted set of each shard's live sessions of a service, by the time they run out. */
export function liveKeysOf(service: string): string[] {
  return tags.map((tag) => liveKeyOf(tag, service));
}

export interface SessionKeys {
  readonly session: string;
  readonly lock: string;
  /** One of those of its service. */
  readonly live: string;
  /** Names this session in what it leaves to others, in a fixed number of characters. */
  readonly owner: string;
}

/**
 * The keys of one session. All share the hash tag of the subscriber, so that one script may touch them in a cluster.
 *
 * @param owner where it is known already: a digest costs as much as the rest of the keys.
 */
export function keysOf(key: SessionKey, owner = digestOf(sessionName(key))): SessionKeys {
  const tag = tagOf(key.phoneNumber);
  const live = liveKeyOf(tag, tenantOf(key.aggregator));
  return { session: `${tag}:session:${owner}`, lock: `${tag}:lock:${owner}`, live, owner };
}

/** The keys that a save touches. */
export interface SavedKeys extends SessionKeys {
  readonly sameId: string;
  readonly place: string;
}

export function savedKeysOf(key: SessionKey, serviceCode: string, owner?: string): SavedKeys {
  return { ...keysOf(key, owner), sameId: sameIdKeyOf(key), place: placeKeyOf(key, serviceCode) };
}

/** A token of the lock of a session, which begins with its owner. */
export function freshLock(owner: string): string {
  return owner + randomId();
}

export function ownerIn(lock: string): string {
  return lock.slice(0, digestChars);
}

/** Sorted set of the numbers in the shard of this session that are live under its id, by the time they run out. */
export function sameIdKeyOf({ aggregator, sessionId, phoneNumber }: SessionKey): string {
  return sameIdKey(tagOf(phoneNumber), aggregator, sessionId);
}

/** What a lost session of this aggregator and number left for this code. It shares the hash tag of the subscriber's sessions. */
export function placeKeyOf(key: SessionKey, serviceCode: string): string {
  return `${tagOf(key.phoneNumber)}:place:${digestOf(resumePointName(key, serviceCode))}`;
}

/** Where to look for the numbers that are live under an id of a line: in each shard. */
export function sameIdKeys(line: string, sessionId: string): string[] {
  return tags.map((tag) => sameIdKey(tag, line, sessionId));
}

function liveKeyOf(tag: string, service: string): string {
  return `${tag}:${scoped('live', service)}`;
}

function sameIdKey(tag: string, aggregator: string, sessionId: string): string {
  return `${tag}:id:${digestOf(`${aggregator} ${sessionId}`)}`;
}

/** By FNV-1a: it only has to spread numbers evenly, and a digest for that would cost as much as all else here. */
function tagOf(phoneNumber: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < phoneNumber.length; index++) {
    hash = Math.imul(hash ^ phoneNumber.charCodeAt(index), 0x01_00_01_93);
  }
  return tags[(hash >>> 16) % shardCount] ?? '';
}

function digestOf(text: string): string {
  return sha256Hex(text).slice(0, digestChars);
}
