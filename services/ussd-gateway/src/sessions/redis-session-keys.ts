import { sha256Hex } from '@mlango/crypto/hashing';
import { key as redisKey } from '@mlango/service-kit/redis';
import type { SessionKey } from './session-store.js';

/** Sessions are spread over so many hash tags, and so over the nodes of a cluster. Changing it loses live sessions. */
export const shardCount = 16;

/** 128 bits in hexadecimal. */
const digestChars = 32;

export interface SessionKeys {
  readonly session: string;
  readonly lock: string;
  /** Sorted set of the shard's live sessions by the time they run out. */
  readonly live: string;
  /** Names this session in what it leaves to others, in a fixed number of characters. */
  readonly owner: string;
}

/**
 * The keys of one session. All share the hash tag of the subscriber, so that one script may touch them in a cluster.
 * The digest keeps keys short, and free of whatever bytes a gateway puts into an id.
 */
export function keysOf(key: SessionKey): SessionKeys {
  const { session, lock, live } = prefixesOf(key.phoneNumber);
  const digest = digestOf(memberOf(key));
  return { session: `${session}:${digest}`, lock: `${lock}:${digest}`, live, owner: digest };
}

/** What a lost session of this number left for this code. It shares the hash tag of the subscriber's sessions. */
export function placeKeyOf(phoneNumber: string, serviceCode: string): string {
  return `${prefixesOf(phoneNumber).place}:${digestOf(`${phoneNumber} ${serviceCode}`)}`;
}

export function liveKey(shard: number): string {
  return redisKey('ussd', String(shard), 'live');
}

/** The beginnings of all keys, made once: a digest behind them needs no encoding. */
const prefixes = Array.from({ length: shardCount }, (_, shard) => ({
  session: redisKey('ussd', String(shard), 'session'),
  lock: redisKey('ussd', String(shard), 'lock'),
  place: redisKey('ussd', String(shard), 'place'),
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

/** How a session stands in the index of its shard. A number has no spaces, so it can be taken apart again. */
export function memberOf(key: SessionKey): string {
  return `${key.phoneNumber} ${key.sessionId}`;
}

export function parseMember(member: string): SessionKey {
  const space = member.indexOf(' ');
  return { phoneNumber: member.slice(0, space), sessionId: member.slice(space + 1) };
}

function digestOf(text: string): string {
  return sha256Hex(text).slice(0, digestChars);
}
