import { sha256Hex } from '@mlango/crypto/hashing';
import { key as redisKey } from '@mlango/service-kit/redis';
import { scoped, tenantOf } from '../session-scope.js';
import { randomId } from './session-secrets.js';
import { resumePointName, type SessionKey, sessionName } from './session-store.js';

/** The number of hash tags, which spread sessions over the nodes of a cluster. Changing it loses live sessions. */
export const shardCount = 16;

/** 128 bits in hexadecimal: short keys without special characters. */
const digestChars = 32;

/** The prefixes of all keys; the digests behind them need no encoding. */
const tags = Array.from({ length: shardCount }, (_, shard) => redisKey('ussd', String(shard)));

/** The sorted sets of live sessions of a tenant, one for each shard, by expiry. */
export function liveKeysOf(tenant: string): string[] {
  return tags.map((tag) => liveKeyOf(tag, tenant));
}

export interface SessionKeys {
  readonly session: string;
  readonly lock: string;
  /** The set of its tenant and shard. */
  readonly live: string;
  /** Identifies this session in locks and resume points, with a fixed length. */
  readonly owner: string;
}

/**
 * The keys of one session. All have the hash tag of the subscriber, so that one script can use them in a cluster.
 *
 * @param owner if known: a digest costs as much as the rest of the keys.
 */
export function keysOf(key: SessionKey, owner = digestOf(sessionName(key))): SessionKeys {
  const tag = tagOf(key.phoneNumber);
  const live = liveKeyOf(tag, tenantOf(key.aggregator));
  return { session: `${tag}:session:${owner}`, lock: `${tag}:lock:${owner}`, live, owner };
}

/** The keys of a save. */
export interface SavedKeys extends SessionKeys {
  readonly sameId: string;
  readonly resumePoint: string;
}

export function savedKeysOf(key: SessionKey, serviceCode: string, owner?: string): SavedKeys {
  const { session, lock, live, owner: known } = keysOf(key, owner);
  return {
    session,
    lock,
    live,
    owner: known,
    sameId: sameIdKeyOf(key),
    resumePoint: resumePointKeyOf(key, serviceCode),
  };
}

/** A lock token, which begins with the owner. */
export function freshLock(owner: string): string {
  return owner + randomId();
}

export function ownerIn(lock: string): string {
  return lock.slice(0, digestChars);
}

/** The sorted set of numbers in this shard that are live under this session id, by expiry. */
export function sameIdKeyOf({ aggregator, sessionId, phoneNumber }: SessionKey): string {
  return sameIdKey(tagOf(phoneNumber), aggregator, sessionId);
}

/** The resume point of this scope, number and service code. */
export function resumePointKeyOf(key: SessionKey, serviceCode: string): string {
  return `${tagOf(key.phoneNumber)}:place:${digestOf(resumePointName(key, serviceCode))}`;
}

/** The sets of numbers that are live under a session id, one for each shard. */
export function sameIdKeys(scope: string, sessionId: string): string[] {
  return tags.map((tag) => sameIdKey(tag, scope, sessionId));
}

function liveKeyOf(tag: string, tenant: string): string {
  return `${tag}:${scoped('live', tenant)}`;
}

function sameIdKey(tag: string, aggregator: string, sessionId: string): string {
  return `${tag}:id:${digestOf(`${aggregator} ${sessionId}`)}`;
}

/** FNV-1a: it only spreads numbers evenly, at a fraction of the cost of a digest. */
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
