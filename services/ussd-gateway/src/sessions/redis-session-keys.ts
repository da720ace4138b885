import { sha256Hex } from '@mlango/crypto/hashing';
import { key as redisKey } from '@mlango/service-kit/redis';
import { placeName, type SessionKey, sessionName } from './session-store.js';

/** Sessions are spread over so many hash tags, and so over the nodes of a cluster. Changing it loses live sessions. */
export const shardCount = 16;

/** 128 bits in hexadecimal. */
const digestChars = 32;

export interface SessionKeys {
  readonly session: string;
  readonly lock: string;
  /** Sorted set of the shard's live sessions by the time they run out. */
  readonly live: string;
  /** Sorted set of the numbers in this shard that are live under this id, by the time they run out. */
  readonly sameId: string;
  /** Names this session in what it leaves to others, in a fixed number of characters. */
  readonly owner: string;
}

/**
 * The keys of one session. All share the hash tag of the subscriber, so that one script may touch them in a cluster.
 * The digest keeps keys short, and free of whatever bytes a gateway puts into an id.
 */
export function keysOf(key: SessionKey): SessionKeys {
  const { session, lock, live, sameId } = prefixesOf(key.phoneNumber);
  const digest = digestOf(sessionName(key));
  return {
    session: `${session}:${digest}`,
    lock: `${lock}:${digest}`,
    live,
    sameId: `${sameId}:${idDigest(key)}`,
    owner: digest,
  };
}

/** What a lost session of this aggregator and number left for this code. It shares the hash tag of the subscriber's sessions. */
export function placeKeyOf(key: SessionKey, serviceCode: string): string {
  return `${prefixesOf(key.phoneNumber).place}:${digestOf(placeName(key, serviceCode))}`;
}

/** Where to look for the numbers that are live under an id of an aggregator: in each shard. */
export function sameIdKeys(aggregator: string, sessionId: string): string[] {
  const digest = idDigest({ aggregator, sessionId });
  return prefixes.map(({ sameId }) => `${sameId}:${digest}`);
}

function idDigest({ aggregator, sessionId }: Pick<SessionKey, 'aggregator' | 'sessionId'>): string {
  return digestOf(`${aggregator} ${sessionId}`);
}

export function liveKey(shard: number): string {
  return redisKey('ussd', String(shard), 'live');
}

/** The beginnings of all keys, made once: a digest behind them needs no encoding. */
const prefixes = Array.from({ length: shardCount }, (_, shard) => ({
  session: redisKey('ussd', String(shard), 'session'),
  lock: redisKey('ussd', String(shard), 'lock'),
  place: redisKey('ussd', String(shard), 'place'),
  sameId: redisKey('ussd', String(shard), 'id'),
  live: liveKey(shard),
}));

function prefixesOf(phoneNumber: string) {
  const prefix = prefixes[shardOf(phoneNumber)];
  if (prefix === undefined) throw new Error('a shard has no keys');
  return prefix;
}

/** FNV-1a: it only has to spread numbers evenly, and a digest for that would cost as much as all else here. */
function shardOf(phoneNumber: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < phoneNumber.length; index++) {
    hash = Math.imul(hash ^ phoneNumber.charCodeAt(index), 0x01_00_01_93);
  }
  return (hash >>> 16) % shardCount;
}

/** The id in the name of a session, as the index of its shard has it. */
export function sessionIdIn(name: string): string {
  return name.slice(name.indexOf(' ', name.indexOf(' ') + 1) + 1);
}

function digestOf(text: string): string {
  return sha256Hex(text).slice(0, digestChars);
}
