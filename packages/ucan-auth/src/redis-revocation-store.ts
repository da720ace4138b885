import { sha256 } from '@mlango/crypto/hashing';
import type { Redis } from 'ioredis';
import { RedisScript } from './redis-script.js';
import type { RevocationStore } from './revocation-store.js';
import { secondsLeft } from './store-times.js';

// Keeps whichever end is later. A life of 0 is one without end.
const REVOKE = new RedisScript(`
local left = redis.call('TTL', KEYS[1])
local life = tonumber(ARGV[1])
if left == -1 or (life > 0 and left >= life) then return 0 end
if life == 0 then redis.call('SET', KEYS[1], 1) else redis.call('SET', KEYS[1], 1, 'EX', life) end
return 1
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
export function redisRevocationStore(redis: Redis, options: RedisStoreOptions = {}): RevocationStore {
  const { prefix = 'ucan', now } = options;
  const keyOf = (cid: string, issuer: string) =>
    `${prefix}:{revoked}:${sha256(`${cid} ${issuer}`).toString('base64url')}`;
  return {
    async revoke({ cid, issuer, expiresAt }) {
      await REVOKE.run(redis, keyOf(cid, issuer), secondsLeft(expiresAt, now) ?? 0);
    },
    async isAnyRevoked(path) {
      const issuers = [...new Set(path.map((ucan) => ucan.issuer))];
      const keys = path.flatMap(({ cid }) => issuers.map((issuer) => keyOf(cid, issuer)));
      return keys.length > 0 && (await redis.exists(...keys)) > 0;
    },
  };
}
