import { Redis } from 'ioredis';
import type { Logger } from '../logging.js';
import { batchWrites } from './batch-writes.js';
import { logConnection } from './connection-log.js';
import { redisRole } from './redis-role.js';
import { describeRedis, parseRedisUrl } from './redis-url.js';

export interface RedisConnectionOptions {
  /** `redis://user:password@host:port/database`, `rediss://` for TLS. */
  readonly url: string;
  readonly logger: Logger;
  /** How the server's own views name this process. */
  readonly connectionName: string;
  /** For one command. Default 1,000 ms. */
  readonly commandTimeoutMs?: number | undefined;
}

export interface RedisConnection {
  readonly client: Redis;
  /** One round trip within the command timeout; rejects at once while there is no connection. */
  readonly ping: () => Promise<void>;
  /**
   * A connection of its own for subscriptions and blocking reads; its commands have no timeout and wait out an outage. A
   * subscription asked for during one begins when Redis is back, and all are renewed then; messages of the meantime are
   * lost. `close()` of the parent ends it too.
   */
  readonly subscriber: (purpose: string) => Redis;
  /** Ends all connections within about a second, whatever the server does. Safe to call twice. */
  readonly close: () => Promise<void>;
}

const CONNECT_TIMEOUT_MS = 3_000;
const DEFAULT_COMMAND_TIMEOUT_MS = 1_000;
const FIRST_CONNECT_LIMIT_MS = 3_000;

/**
 * Connects to Redis or Valkey so that nothing waits for ever: a command without a connection fails at once, one without
 * an answer fails at its timeout, and a connection that fell silent is replaced. A command is sent at most once; one that
 * failed in flight may or may not have run.
 *
 * Resolves once connected or after the first failed attempt, within three seconds: a service starts with Redis away, and
 * the connection heals by itself, trying at most two seconds apart. Rejects for a malformed URL only.
 */
export async function openRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { url, connectionName, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
  const target = parseRedisUrl(url);
  const logger = options.logger.child({ redis: describeRedis(target), tls: target.tls !== undefined });
  let closing: Promise<void> | undefined;
  const settings = {
    ...target,
    connectionName,
    // The name of the library is nothing that a server needs, and users with few rights may not say it.
    disableClientInfo: true,
    family: 0,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: commandTimeoutMs,
    socketTimeout: commandTimeoutMs * 3,
    keepAlive: 30_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt: number) =>
      closing === undefined ? Math.min(2_000, 50 * 2 ** attempt) * (0.5 + Math.random() / 2) : null,
    // After a failover the old connection leads to a replica; 1 means dial again without sending the command again.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? (1 as const) : false),
  };
  const client = new Redis(settings);
  batchWrites(client);
  logConnection(client, logger, () => redisRole(client));
  const clients = [client];
  await firstOutcome(client);

  return {
    client,
    ping: async () => {
      await client.ping();
    },
    subscriber: (purpose) => {
      const { commandTimeout: _, socketTimeout: __, ...patient } = settings;
      const subscriber = new Redis({
        ...patient,
        connectionName: `${connectionName}-${purpose}`,
        lazyConnect: false,
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
      });
      logConnection(subscriber, logger.child({ purpose }));
      clients.push(subscriber);
      return subscriber;
    },
    close: () => {
      closing ??= Promise.all(clients.map((each) => end(each))).then(() => undefined);
      return closing;
    },
  };
}

function firstOutcome(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FIRST_CONNECT_LIMIT_MS);
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    client.once('ready', settle);
    client.once('error', settle);
    client.connect().catch(settle);
  });
}

const END_LIMIT_MS = 1_000;

async function end(client: Redis): Promise<void> {
  if (client.status !== 'ready') {
    client.disconnect();
    return;
  }
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, END_LIMIT_MS);
    client.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  // QUIT lets what was sent before it finish; without an answer the socket is dropped.
  client.quit().catch(() => client.disconnect());
  await ended;
  client.disconnect();
}
