import { memoryReplayStore } from '@mlango/ucan-auth/memory-replay-store';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { postgresReplayStore } from '@mlango/ucan-auth/postgres-replay-store';
import { postgresRevocationStore } from '@mlango/ucan-auth/postgres-revocation-store';
import * as schema from '@mlango/ucan-auth/postgres-schema';
import { redisReplayStore } from '@mlango/ucan-auth/redis-replay-store';
import { type RedisStoreOptions, redisRevocationStore } from '@mlango/ucan-auth/redis-revocation-store';
import type { ReplayStore } from '@mlango/ucan-auth/replay-store';
import {
  checkExpiry,
  GRACE_SECONDS,
  REVOCATIONS_IN_ALL,
  REVOCATIONS_PER_ISSUER,
  type RevocationQuota,
  type RevocationStore,
  secondsLeft,
  systemSeconds,
} from '@mlango/ucan-auth/revocation-store';
import { drizzle as overPglite } from 'drizzle-orm/pglite';
import { drizzle as overPostgres } from 'drizzle-orm/postgres-js';
import { Redis } from 'ioredis';

// Each store with each client, and a schema of the consumer, without a cast.

interface Stores {
  readonly revocations: RevocationStore;
  readonly replays: ReplayStore;
}

const quota: RevocationQuota = { perIssuer: 10, inAll: 100 };

export function inMemory(): Stores {
  return { revocations: memoryRevocationStore(), replays: memoryReplayStore() };
}

export function inRedis(url: string): Stores {
  const redis = new Redis(url, { lazyConnect: true });
  const options: RedisStoreOptions = { prefix: 'own' };
  return {
    revocations: redisRevocationStore(redis, { ...options, ...quota }),
    replays: redisReplayStore(redis, options),
  };
}

export function inPostgres(url: string): Stores {
  const db = overPostgres(url, { schema: { ...schema, own: schema.ucanReplays } });
  return { revocations: postgresRevocationStore(db, quota), replays: postgresReplayStore(db) };
}

export function embedded(): Stores {
  const db = overPglite({ schema: { revocations: schema.ucanRevocations } });
  return { revocations: postgresRevocationStore(db), replays: postgresReplayStore(db) };
}

/** A store of the consumer, with the limits and the grace period of the package. */
export function ownStore({ perIssuer = REVOCATIONS_PER_ISSUER, inAll = REVOCATIONS_IN_ALL } = quota): RevocationStore {
  const ends = new Map<string, number>();
  return {
    async revoke({ cid, issuer, expiresAt }) {
      checkExpiry(expiresAt);
      if (ends.size >= Math.min(perIssuer, inAll)) return 'full';
      const lifetime = secondsLeft(expiresAt, systemSeconds()) ?? Number.POSITIVE_INFINITY;
      ends.set(`${cid} ${issuer}`, systemSeconds() + lifetime + GRACE_SECONDS);
      return 'recorded';
    },
    async isAnyRevoked(path) {
      return path.some(({ cid, issuer }) => ends.has(`${cid} ${issuer}`));
    },
  };
}
