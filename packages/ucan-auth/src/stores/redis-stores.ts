import { sha256 } from '@mlango/crypto/hashing';
import type { Cluster, Redis } from 'ioredis';
import {
  GRACE_SECONDS,
  REVOCATIONS_IN_ALL,
  REVOCATIONS_PER_ISSUER,
  type ReplayStore,
  type RevocationQuota,
  type RevocationStore,
  secondsLeft,
  systemSeconds,
} from './token-stores.js';

/** Characters of a digest that identify a record in a list. */
const MEMBER_CHARACTERS = 16;

const CENTURY_SECONDS = 3_155_760_000;

// Stores a revocation with the later of two expiries; a lifetime of 0 is unlimited. Two sorted sets, of its issuer and of all, hold the
// expiry of each record; expired members are removed before they are counted.
const REVOKE_SCRIPT = `
local left = redis.call('TTL', KEYS[1])
local life, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if left == -1 or (life > 0 and left >= life) then return 'recorded' end
for list = 2, 3 do redis.call('ZREMRANGEBYSCORE', KEYS[list], '-inf', '(' .. now) end
if left == -2 then
  if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 'full' end
  if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[5]) then return redis.error_reply('no room for another revocation') end
end
for list = 2, 3 do redis.call('ZADD', KEYS[list], ARGV[6], ARGV[3]) end
local lifeOfList = life == 0 and ${CENTURY_SECONDS} or life
if redis.call('PTTL', KEYS[2]) < lifeOfList * 1000 then redis.call('PEXPIRE', KEYS[2], lifeOfList * 1000) end
if life == 0 then redis.call('SET', KEYS[1], 1) else redis.call('SET', KEYS[1], 1, 'EX', life) end
return 'recorded'
`;

export interface RedisStoreOptions {
  /** Prefix of the keys. Default `ucan`. */
  readonly prefix?: string;
  /** Unix seconds, the clock of the token verification. Default: the system clock. */
  readonly now?: () => number;
}

/**
 * Revocations in Redis, shared by all replicas. One key per revocation, all in one hash slot, so that a path is one query; a key
 * expires a minute after the UCAN. Redis must not evict keys (`maxmemory-policy noeviction`).
 */
export function redisRevocationStore(
  redis: Redis | Cluster,
  options: RedisStoreOptions & RevocationQuota = {},
): RevocationStore {
  const { prefix = 'ucan', now = systemSeconds } = options;
  const { perIssuer = REVOCATIONS_PER_ISSUER, inAll = REVOCATIONS_IN_ALL } = options;
  const digestOf = (text: string) => sha256(text).toString('base64url');
  const keyOf = (cid: string, issuer: string) => `${prefix}:{revoked}:${digestOf(`${cid} ${issuer}`)}`;
  return {
    async revoke({ cid, issuer, expiresAt }) {
      const lists = [`${prefix}:{revoked}:of:${digestOf(issuer)}`, `${prefix}:{revoked}:all`];
      const member = digestOf(`${cid} ${issuer}`).slice(0, MEMBER_CHARACTERS);
      const life = secondsLeft(expiresAt, now());
      const endsAt = life === undefined ? '+inf' : expiresAt + GRACE_SECONDS;
      const values = [life ?? 0, now(), member, perIssuer, inAll, endsAt];
      const outcome = await redis.eval(REVOKE_SCRIPT, 3, keyOf(cid, issuer), ...lists, ...values);
      return outcome === 'full' ? 'full' : 'recorded';
    },
    async isAnyRevoked(path) {
      const issuers = [...new Set(path.map((ucan) => ucan.issuer))];
      const keys = path.flatMap(({ cid }) => issuers.map((issuer) => keyOf(cid, issuer)));
      return keys.length > 0 && (await redis.exists(...keys)) > 0;
    },
  };
}

/**
 * Used tokens in Redis, shared by all replicas. One key per token, set by the first claim; it expires a minute after the token.
 * Redis must not evict keys (`maxmemory-policy noeviction`).
 */
export function redisReplayStore(redis: Redis | Cluster, options: RedisStoreOptions = {}): ReplayStore {
  const { prefix = 'ucan', now = systemSeconds } = options;
  return {
    async claim(cid, expiresAt) {
      const lifeSeconds = secondsLeft(expiresAt, now());
      const key = `${prefix}:used:${cid}`;
      const reply =
        lifeSeconds === undefined ? await redis.set(key, 1, 'NX') : await redis.set(key, 1, 'EX', lifeSeconds, 'NX');
      return reply === 'OK';
    },
  };
}
