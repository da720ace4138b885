import { sha256Hex } from '@mlango/crypto/hashing';
import { type RedisClient, key as redisKey } from '@mlango/service-kit/redis';
import { type SessionKey, sessionName } from '../sessions/session-store.js';
import type { SessionTenantStore } from './session-tenant-store.js';

/** Entries shared by all processes on one Redis or Valkey. Keys are spread over the nodes of a cluster and hold no numbers. */
export class RedisSessionTenantStore implements SessionTenantStore {
  readonly #redis: RedisClient;
  readonly #retentionMs: number;

  constructor(redis: RedisClient, { retentionMs }: { readonly retentionMs: number }) {
    this.#redis = redis;
    this.#retentionMs = retentionMs;
  }

  async save(key: SessionKey, tenantId: string): Promise<void> {
    await this.#redis.set(nameOf(key), tenantId, 'PX', this.#retentionMs);
  }

  async find(key: SessionKey): Promise<string | undefined> {
    return (await this.#redis.getex(nameOf(key), 'PX', this.#retentionMs)) ?? undefined;
  }
}

function nameOf(key: SessionKey): string {
  return redisKey('ussd', sha256Hex(sessionName(key)).slice(0, 32), 'dialled');
}
