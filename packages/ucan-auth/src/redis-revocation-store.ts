import { sha256 } from '@mlango/crypto/hashing';
import type { Cluster, Redis } from 'ioredis';
import { RedisScript } from './redis-script.js';
import { REVOCATIONS_IN_ALL, REVOCATIONS_PER_ISSUER, type RevocationQuota } from './revocation-quota.js';
import type { RevocationStore } from './revocation-store.js';
import { GRACE_SECONDS, secondsLeft, systemSeconds } from './store-times.js';

/** Enough of a digest to tell one record from another in a list. */
const PLACE_CHARACTERS = 16;

const CENTURY_SECONDS = 3_155_760_000;

// Keeps whichever end is later; a life of 0 is one without end. Beside the record stand two lists of when records end, of its
// issuer and of all, by which they are counted: what has ended is taken off them first.
const REVOKE = new RedisScript(`
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
`);

export interface RedisStoreOptions {
  /** First part of the stored keys. Default `ucan`. */
  readonly prefix?: string;
  /** Unix seconds; the clock that tokens are judged by. Default: the system's. */
  readonly now?: () => number;
}

/**
 * Revocations in Redis, for all replicas together and as durable as that Redis is. One small key per revocation, all in one
 * hash slot so that a whole path is one question; each goes by itself a minute after the UCAN has expired. Redis must not
 * evict: give it a `maxmemory-policy` of `noeviction`.
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
      const place = digestOf(`${cid} ${issuer}`).slice(0, PLACE_CHARACTERS);
      const life = secondsLeft(expiresAt, now);
      const endsAt = life === undefined ? '+inf' : expiresAt + GRACE_SECONDS;
      const values = [life ?? 0, now(), place, perIssuer, inAll, endsAt];
      const outcome = await REVOKE.run(redis, [keyOf(cid, issuer), ...lists], values);
      return outcome === 'full' ? 'full' : 'recorded';
    },
    async isAnyRevoked(path) {
      const issuers = [...new Set(path.map((ucan) => ucan.issuer))];
      const keys = path.flatMap(({ cid }) => issuers.map((issuer) => keyOf(cid, issuer)));
      return keys.length > 0 && (await redis.exists(...keys)) > 0;
    },
  };
}
