import { Cluster, type Redis } from 'ioredis';
import { EnvError } from '../env/read-env.js';
import { describeRedis, parseRedisUrl } from '../env/redis-url.js';
import type { Logger } from '../logging/index.js';
import { DeferredWork } from './batch-writes.js';
import { type ConnectOptions, connectRedis } from './connect-redis.js';
import { logCluster, logConnection } from './connection-log.js';
import type { RedisClient } from './redis-client.js';
import { RedisSubscriber } from './redis-subscriber.js';

export interface RedisConnectionOptions {
  /** One server, a cluster or sentinels, as `parseRedisUrl` reads them. */
  readonly url: string;
  /** Certificate authority of a Redis with TLS, as PEM. Default: those of Node.js. */
  readonly ca?: string | undefined;
  readonly logger: Logger;
  /** The name of this process in the server's own views. */
  readonly connectionName: string;
  /** For one command. Default 1,000 ms. */
  readonly commandTimeoutMs?: number | undefined;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** Defers a callback that issues commands to the end of this event loop turn: they leave in one write with the others. */
  readonly atEndOfTurn: (issue: () => void) => void;
  /** One round trip within the command timeout; rejects at once while there is no connection. */
  readonly ping: () => Promise<void>;
  /**
   * A dedicated connection for subscriptions. Subscriptions survive an outage: they are made or renewed once Redis is available;
   * messages in between are missed. `close()` of the parent ends it too.
   */
  readonly subscriber: (purpose: string) => RedisSubscriber;
  /** Ends all connections within about a second, in any state of the server. Safe to call twice. */
  readonly close: () => Promise<void>;
}

const DEFAULT_COMMAND_TIMEOUT_MS = 1_000;
const FIRST_CONNECT_LIMIT_MS = 3_000;

/**
 * Connects to Redis or Valkey with bounded waits: a command without a connection fails at once, a command without a reply fails at
 * its timeout, and a silent connection is replaced. A command is sent at most once; a command that failed in flight may have run.
 *
 * Resolves once connected or after the first failed attempt, within three seconds: a service starts while Redis is unavailable, and
 * reconnects at least every two seconds. Rejects for a malformed URL, and with an EnvError for a server of another kind than the URL
 * names; if that shows only later, the connection is closed for good, and an error is logged.
 */
export async function openRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { url, ca, connectionName, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
  const target = parseRedisUrl(url);
  const logger = options.logger.child({ redis: describeRedis(target), tls: target.isTls });
  const turn = new DeferredWork();
  let closing: Promise<void> | undefined;
  /** Closed for good: the server is of another kind. */
  let isRefused = false;
  const refuse = () => {
    isRefused = true;
    client.disconnect();
  };
  let isOnReplica = false;
  const onReplica = () => {
    if (isOnReplica || client instanceof Cluster) return;
    isOnReplica = true;
    client.once('ready', () => {
      isOnReplica = false;
      // Subscribers write nothing, so they do not notice the failover themselves.
      void serverInfo(client).then(({ role }) => {
        if (role === 'primary') for (const each of clients.slice(1)) each.disconnect(true);
      });
    });
  };
  const connect = (more: Pick<ConnectOptions, 'connectionName' | 'commandTimeoutMs'>) =>
    connectRedis(target, { ca, isClosing: () => closing !== undefined || isRefused, onReplica, turn, ...more });
  const client = connect({ connectionName, commandTimeoutMs });
  const clients = [client];
  if (client instanceof Cluster) logCluster(client, logger);
  let firstCheck: Promise<string | undefined> | undefined;
  logConnection(client, logger, async () => {
    if (client instanceof Cluster) return {};
    const info = serverInfo(client);
    firstCheck = info.then(({ problem }) => problem);
    const { problem, ...fields } = await info;
    if (problem === undefined) return fields;
    logger.error(`Redis is not used: the one that REDIS_URL names ${problem}`);
    refuse();
    return undefined;
  });
  const failure = await firstFailure(client);
  const problem = failure === undefined ? await firstCheck : wrongKind(target.kind, failure);
  if (problem !== undefined) {
    refuse();
    throw new EnvError([{ variable: 'REDIS_URL', message: `the Redis it names ${problem}` }]);
  }

  return {
    client,
    atEndOfTurn: (issue) => turn.issue(issue),
    ping: async () => {
      await client.ping();
    },
    subscriber: (purpose) => {
      const subscriber = connect({ connectionName: `${connectionName}-${purpose}`, commandTimeoutMs: undefined });
      const log = logger.child({ purpose });
      logConnection(subscriber, log);
      clients.push(subscriber);
      subscriber.connect().catch(() => {});
      return new RedisSubscriber(subscriber, log);
    },
    close: () => {
      closing ??= Promise.all(clients.map((each) => end(each))).then(() => undefined);
      return closing;
    },
  };
}

/** Error text of the first attempt; undefined once connected, and at the time limit. */
function firstFailure(client: RedisClient): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (failure?: string): void => {
      clearTimeout(timer);
      resolve(failure);
    };
    const fail = (error: Error & { lastNodeError?: Error }): void => settle((error.lastNodeError ?? error).message);
    const timer = setTimeout(settle, FIRST_CONNECT_LIMIT_MS);
    client.once('ready', () => settle());
    client.once('error', fail);
    client.connect().catch(fail);
  });
}

const END_LIMIT_MS = 1_000;

async function end(client: RedisClient): Promise<void> {
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
  // QUIT waits for earlier commands; without a reply the socket is closed.
  client.quit().catch(() => client.disconnect());
  await ended;
  client.disconnect();
}

export interface ServerInfo {
  /** `primary` or `replica`; undefined if the server does not report it. */
  readonly role?: string;
  /** Why a client of one server cannot work with it. */
  readonly problem?: string;
}

/** Names of roles in Redis, with ours. */
const roles: Readonly<Record<string, string>> = { master: 'primary', slave: 'replica' };

/** Reads role and kind of a server with INFO. Never rejects. */
async function serverInfo(client: Redis): Promise<ServerInfo> {
  const info = await client.info().catch(() => '');
  const field = (name: string) => new RegExp(`^${name}:([a-z0-9]{1,20})\\r?$`, 'm').exec(info)?.[1];
  const role = field('role');
  if (field('cluster_enabled') === '1') {
    return { problem: 'is a node of a cluster, which needs redis+cluster:// and its nodes' };
  }
  if (role === 'sentinel' || field('(?:redis|server)_mode') === 'sentinel') {
    return { problem: 'is a sentinel, which needs redis+sentinel:// and the name of a master' };
  }
  return role === undefined ? {} : { role: roles[role] ?? role };
}

/** Describes a failure caused by a server of another kind than the URL names; undefined for any other failure. */
function wrongKind(kind: 'single' | 'cluster' | 'sentinel', failure: string): string | undefined {
  if (kind === 'cluster' && /cluster support disabled|unknown command/i.test(failure)) {
    return 'is no node of a cluster: one server is redis://';
  }
  if (kind !== 'sentinel') return undefined;
  if (/unknown command/i.test(failure)) return 'is no sentinel: one server is redis://, a cluster redis+cluster://';
  return failure.includes('No such master') ? 'is unknown to its sentinels by that name' : undefined;
}
