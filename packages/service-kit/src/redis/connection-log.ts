import type { Cluster, Redis } from 'ioredis';
import { redisTrouble } from '../errors/redis-trouble.js';
import type { Logger } from '../logging/index.js';
import type { RedisClient } from './redis-client.js';

/**
 * Logs the first connection, and the beginning and the end of an outage, not each attempt to connect. Logs only the code and the
 * name of an error: ioredis attaches the whole command, with password and values.
 *
 * @param logger has the address of the Redis as a field.
 * @param describe fields about the server, read at each connection, since a failover may change the server behind an address;
 *   undefined logs nothing. Secondary connections omit it, and log outages only.
 */
export function logConnection(client: RedisClient, logger: Logger, describe?: () => Promise<object | undefined>): void {
  let state: 'unknown' | 'connected' | 'down' = describe === undefined ? 'connected' : 'unknown';
  const begin = (reason: string): void => {
    if (state !== 'down') logger.warn({ reason }, 'Redis is unavailable, reconnecting');
    state = 'down';
  };
  client.on('error', (error: Error) => begin(reasonOf(error)));
  // A server that closes each connection at once, such as one with too many clients, causes no error event.
  let timesClosed = 0;
  client.on('reconnecting', () => {
    timesClosed += 1;
    if (timesClosed > 1) begin('closed');
  });
  client.on('ready', () => {
    timesClosed = 0;
    if (state !== 'connected')
      void logConnected(logger, state === 'down' ? 'Redis is available again' : 'Redis is connected', describe);
    state = 'connected';
  });
}

async function logConnected(
  logger: Logger,
  message: string,
  describe?: () => Promise<object | undefined>,
): Promise<void> {
  const fields = describe === undefined ? {} : await describe();
  if (fields !== undefined) logger.info(fields, message);
}

/** `ECONNREFUSED`, `WRONGPASS` and the like; the class of the error when it has neither. */
export function reasonOf(failure: Error & { lastNodeError?: Error }): string {
  // A cluster error has the reason of the last node that was tried.
  const error = failure.lastNodeError ?? failure;
  if ('code' in error && typeof error.code === 'string') return error.code;
  const code = /(?:^|Last error: (?:connect )?)([A-Z]{3,})\b/.exec(error.message)?.[1];
  return redisTrouble(error) ?? code ?? error.name;
}

/** Logs when a cluster node becomes unavailable and when it is available again, not each attempt to connect. */
export function logCluster(cluster: Cluster, logger: Logger): void {
  const unavailable = new Set<string>();
  cluster.on('+node', (node: Redis) => {
    const name = `${node.options.host}:${node.options.port}`;
    let wasConnected = false;
    node.on('ready', () => {
      wasConnected = true;
      if (unavailable.delete(name)) logger.info({ node: name }, 'Redis cluster node is available again');
    });
    // A node that left the cluster closes without an error.
    node.on('error', () => {});
    node.on('close', () => {
      if (!wasConnected || unavailable.has(name) || cluster.status !== 'ready') return;
      unavailable.add(name);
      logger.warn({ node: name }, 'Redis cluster node is unavailable');
    });
  });
}
