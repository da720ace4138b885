import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { failingOver, kindsThatFailOver } from '@mlango/test-services/failing-over';
import { asUser, emptyPrefix } from '@mlango/test-services/redis-kinds';
import { canStartRedis } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe } from 'vitest';
import { RedisSessionStore } from '../src/sessions/redis-session-store.js';
import { sessionStoreContract } from '../src/sessions/session-store.contract.js';
import { RedisSessionTenantStore } from '../src/tenants/redis-session-tenant-store.js';
import { sessionTenantStoreContract } from '../src/tenants/session-tenant-store.contract.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const pass = (ms: number) => sleep(ms + 1);

// A cluster refuses keys of two slots, and calls that its user may not make.
describe.skipIf(!canStartRedis).each(kindsThatFailOver)('on $kind', (kind) => {
  /** A separate Redis of the suite, as the service uses it: emptied at each call. */
  const empty = () => {
    const redis = failingOver(kind);
    let own: RedisConnection;
    let admin: RedisConnection;
    beforeAll(async () => {
      const open = (url: string) => openRedis({ url, logger, connectionName: 'kinds', commandTimeoutMs: 10_000 });
      [own, admin] = [await open(asUser(redis.url(), 'mlango-ussd')), await open(redis.url())];
      redis.held(own.client);
      redis.follow(admin.client);
    });
    afterAll(() => Promise.all([own.close(), admin.close()]));
    return async () => {
      await emptyPrefix(admin.client, 'ussd:');
      return own.client;
    };
  };

  describe('sessions', () => {
    const client = empty();
    sessionStoreContract(async () => ({ store: new RedisSessionStore(await client()), pass, skips: false }));
  });
  describe('the tenant of a session', () => {
    const client = empty();
    sessionTenantStoreContract(async (retentionMs) => ({
      tenants: new RedisSessionTenantStore(await client(), { retentionMs }),
      pass,
    }));
  });
});
