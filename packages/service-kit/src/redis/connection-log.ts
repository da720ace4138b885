import type { Cluster, Redis } from 'ioredis';
import type { Logger } from '../logging/index.js';
import type { RedisClient } from './redis-client.js';
import { redisTrouble } from './redis-trouble.js';

/**
 * Logs the first connection, and the beginning and the end of an outage, not each attempt to connect. Takes only the error's code
 * and name to the log: ioredis puts the whole command on its errors, password and values included.
 *
 * @param logger says which Redis it is.
 * @param look what is to be said of the server, asked at each connection: after a failover the same address may lead to another.
 *   Nothing is said of one that is not used. Connections without it are the further ones of a process, and say nothing until they
 *   are lost.
 */
export function logConnection(client: RedisClient, logger: Logger, look?: () => Promise<object | undefined>): void {
  let state: 'unknown' | 'connected' | 'away' = look === undefined ? 'connected' : 'unknown';
  const begin = (reason: string): void => {
    if (state !== 'away') logger.warn({ reason }, 'Redis is away; trying again until it is back');
    state = 'away';
  };
  client.on('error', (error: Error) => begin(reasonOf(error)));
  // A server that hangs up on whoever comes, as one with too many clients does, gives no error.
  let timesClosed = 0;
  client.on('reconnecting', () => {
    timesClosed += 1;
    if (timesClosed > 1) begin('closed');
  });
  client.on('ready', () => {
    timesClosed = 0;
    if (state !== 'connected')
      void sayConnected(logger, state === 'away' ? 'Redis is back' : 'Redis is connected', look);
    state = 'connected';
  });
}

async function sayConnected(logger: Logger, what: string, look?: () => Promise<object | undefined>): Promise<void> {
  const seen = look === undefined ? {} : await look();
  if (seen !== undefined) logger.info(seen, what);
}

/** `ECONNREFUSED`, `WRONGPASS` and the like; the class of the error when it has neither. */
export function reasonOf(given: Error & { lastNodeError?: Error }): string {
  // A cluster of which no node could be asked says why of the last one.
  const error = given.lastNodeError ?? given;
  if ('code' in error && typeof error.code === 'string') return error.code;
  const said = /(?:^|Last error: (?:connect )?)([A-Z]{3,})\b/.exec(error.message)?.[1];
  return redisTrouble(error) ?? said ?? error.name;
}

/** Logs when a node of a cluster is lost and when it is back, not each attempt to reach it. */
export function logCluster(cluster: Cluster, logger: Logger): void {
  const away = new Set<string>();
  cluster.on('+node', (node: Redis) => {
    const name = `${node.options.host}:${node.options.port}`;
    let wasConnected = false;
    node.on('ready', () => {
      wasConnected = true;
      if (away.delete(name)) logger.info({ node: name }, 'a node of the Redis cluster is back');
    });
    // One that the cluster no longer names ends without an error before.
    node.on('error', () => {});
    node.on('close', () => {
      if (!wasConnected || away.has(name) || cluster.status !== 'ready') return;
      away.add(name);
      logger.warn({ node: name }, 'a node of the Redis cluster is away');
    });
  });
}
