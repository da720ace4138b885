import { createLogger } from '@mlango/service-kit/logging';
import { openRedis } from '@mlango/service-kit/redis';
import type { TestOptions } from '../../test/app.fixture.js';
import type { BusMessage } from './hub-bus.js';
import { redisRecoveryTickets } from './recovery.js';
import { redisHubBus } from './redis-hub-bus.js';
import { listening } from './sockets.fixture.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** The app as one of the replicas that share a Redis, with the messages that it receives from the others. */
export async function replicaOn(url: string, service: string, options: TestOptions) {
  const redis = await openRedis({ url, logger, connectionName: 'test' });
  const bus = redisHubBus({ client: redis.client, subscriber: redis.subscriber('realtime'), log: logger, service });
  const heard: BusMessage[] = [];
  const listen = bus.listen.bind(bus);
  bus.listen = (id, onMessage) =>
    listen(id, (message) => {
      heard.push(message);
      onMessage(message);
    });
  const opened = await listening({ bus, tickets: redisRecoveryTickets(redis.client), ...options });
  const close = async (): Promise<undefined> => {
    await opened.close();
    await redis.close();
  };
  return { ...opened, client: redis.client, heard, close };
}
