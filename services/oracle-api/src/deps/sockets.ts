import { randomUUID } from 'node:crypto';
import type { Logger } from '@mlango/service-kit/logging';
import type { RedisConnection } from '@mlango/service-kit/redis';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import type { PluginsConfig } from '../config.js';
import type { AddressAllowances } from '../limits.js';
import type { SharedPools } from '../shared-pools.js';
import { MemoryHubBus } from '../sockets/hub-bus.js';
import { socketLimitsFor } from '../sockets/limits.js';
import { Realtime } from '../sockets/realtime.js';
import { MemoryRecoveryTickets, redisRecoveryTickets } from '../sockets/recovery.js';
import { redisHubBus } from '../sockets/redis-hub-bus.js';
import type { ConversationStore } from '../store/conversation-store.js';

interface RealtimeStores {
  readonly redis: RedisConnection | undefined;
  readonly auth: UcanAuth;
  readonly addresses: Pick<AddressAllowances, 'requests'>;
  readonly conversations: ConversationStore;
  readonly connectionLimit: SharedPools['sockets'];
  readonly logger: Logger;
}

/** Opens the sockets of this process, connected to those of all replicas if Redis is configured. */
export async function openRealtime(config: PluginsConfig, parts: RealtimeStores) {
  const { redis, auth, addresses, conversations, connectionLimit, logger } = parts;
  const realtime = new Realtime({
    auth,
    connectionLimit,
    requests: addresses.requests,
    ownsSession: async (did, sessionId) => (await conversations.findSession(did, sessionId)) !== undefined,
    bus:
      redis === undefined
        ? new MemoryHubBus().attach()
        : redisHubBus({ client: redis.client, subscriber: redis.subscriber('realtime'), log: logger }),
    tickets: redis === undefined ? new MemoryRecoveryTickets(Date.now) : redisRecoveryTickets(redis.client),
    nowMs: Date.now,
    newId: randomUUID,
    log: logger,
    limits: socketLimitsFor(config.FRONTEND_TOOL_TIMEOUT_MS),
  });
  await realtime.open();
  return realtime;
}
