import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@mlango/service-kit/logging';
import { openRedis, type RedisConnection } from '@mlango/service-kit/redis';
import { asUser, emptyPrefix, redisClusterUrl } from '@mlango/test-services/redis-kinds';
import { afterAll, beforeAll, describe } from 'vitest';
import { analyticsStoreContract } from '../src/analytics/analytics-store.contract.js';
import { RedisAnalyticsStore } from '../src/analytics/redis-analytics-store.js';
import { lastDialledContract } from '../src/services/last-dialled.contract.js';
import { RedisLastDialled } from '../src/services/redis-last-dialled.js';
import { RedisSessionStore } from '../src/sessions/redis-session-store.js';
import { sessionStoreContract } from '../src/sessions/session-store.contract.js';

const logger = createLogger({ service: 'test', level: 'silent' });

// What touches keys of two slots is refused by a cluster, and what its user may not do.
describe.skipIf(redisClusterUrl === undefined)('on a cluster', () => {
  let own: RedisConnection;
  let admin: RedisConnection;
  beforeAll(async () => {
    const open = (url: string) => openRedis({ url, logger, connectionName: 'ussd-cluster', commandTimeoutMs: 10_000 });
    own = await open(asUser(redisClusterUrl ?? '', 'mlango-ussd'));
    admin = await open(redisClusterUrl ?? '');
  });
  afterAll(() => Promise.all([own.close(), admin.close()]));
  const pass = (ms: number) => sleep(ms + 1);
  /** Of this prefix there is nobody else on the shared cluster. */
  const empty = () => emptyPrefix(admin.client, 'ussd:');

  sessionStoreContract(async () => {
    await empty();
    return { store: new RedisSessionStore(own.client), pass, skips: false };
  });
  analyticsStoreContract(async () => {
    await empty();
    return new RedisAnalyticsStore(own.client, 'default');
  });
  lastDialledContract(async (keptMs) => {
    await empty();
    return { dialled: new RedisLastDialled(own.client, { keptMs }), pass };
  });
});
