import { Cluster, type Redis } from 'ioredis';
import { EnvError } from '../env/read-env.js';
import type { Logger } from '../logging/index.js';
import { EndOfTurn } from './batch-writes.js';
import { type ConnectOptions, connectRedis } from './connect-redis.js';
import { logCluster, logConnection } from './connection-log.js';
import type { RedisClient } from './redis-client.js';
import { RedisSubscriber } from './redis-subscriber.js';
import { describeRedis, parseRedisUrl } from './redis-url.js';

export interface RedisConnectionOptions {
  /** One server, a cluster or sentinels, as `parseRedisUrl` reads them. */
  readonly url: string;
  /** Who signs the certificates of a Redis with TLS, as PEM; otherwise the authorities that Node knows. */
  readonly ca?: string | undefined;
  readonly logger: Logger;
  /** How the server's own views name this process. */
  readonly connectionName: string;
  /** For one command. Default 1,000 ms. */
  readonly commandTimeoutMs?: number | undefined;
}

export interface RedisConnection {
  readonly client: RedisClient;
  /** Puts off to the end of this turn of the event loop what asks the client for something: it leaves with all else of the turn. */
  readonly atEndOfTurn: (ask: () => void) => void;
  /** One round trip within the command timeout; rejects at once while there is no connection. */
  readonly ping: () => Promise<void>;
  /**
   * Connections of their own for subscriptions, which wait out an outage: one asked for during it begins when Redis is back, and
   * all are renewed then; messages of the meantime are lost. `close()` of the parent ends them too.
   */
  readonly subscriber: (purpose: string) => RedisSubscriber;
  /** Ends all connections within about a second, whatever the server does. Safe to call twice. */
  readonly close: () => Promise<void>;
}

const DEFAULT_COMMAND_TIMEOUT_MS = 1_000;
const FIRST_CONNECT_LIMIT_MS = 3_000;

/**
 * Connects to Redis or Valkey so that nothing waits for ever: a command without a connection fails at once, one without
 * an answer fails at its timeout, and a connection that fell silent is replaced. A command is sent at most once; one that
 * failed in flight may or may not have run.
 *
 * Resolves once connected or after the first failed attempt, within three seconds: a service starts with Redis away, and
 * the connection heals by itself, trying at most two seconds apart. Rejects for a malformed URL, and with an EnvError for
 * a server of another kind than the URL says; one that only later turns out to be such is given up for good, and the log says so.
 */
export async function openRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { url, ca, connectionName, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
  const target = parseRedisUrl(url);
  const logger = options.logger.child({ redis: describeRedis(target), tls: target.isTls });
  const turn = new EndOfTurn();
  let closing: Promise<void> | undefined;
  let isOnReplica = false;
  const onReplica = () => {
    if (isOnReplica || client instanceof Cluster) return;
    isOnReplica = true;
    client.once('ready', () => {
      isOnReplica = false;
      // Those that listen write nothing, so nobody tells them.
      void serverInfo(client).then(({ role }) => {
        if (role === 'primary') for (const each of clients.slice(1)) each.disconnect(true);
      });
    });
  };
  const connect = (more: Pick<ConnectOptions, 'connectionName' | 'commandTimeoutMs'>) =>
    connectRedis(target, { ca, isClosing: () => closing !== undefined, onReplica, turn, ...more });
  const client = connect({ connectionName, commandTimeoutMs });
  const clients = [client];
  if (client instanceof Cluster) logCluster(client, logger);
  let looked: Promise<string | undefined> | undefined;
  logConnection(client, logger, async () => {
    if (client instanceof Cluster) return {};
    const info = serverInfo(client);
    looked = info.then(({ problem }) => problem);
    const { problem, ...seen } = await info;
    if (problem === undefined) return seen;
    logger.error(`Redis is not used: the one that REDIS_URL names ${problem}`);
    client.disconnect();
    return undefined;
  });
  const failure = await firstFailure(client);
  const problem = failure === undefined ? await looked : wrongKind(target.kind, failure);
  if (problem !== undefined) {
    client.disconnect();
    throw new EnvError([{ variable: 'REDIS_URL', message: `the Redis it names ${problem}` }]);
  }

  return {
    client,
    atEndOfTurn: (ask) => turn.ask(ask),
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

/** What the first attempt failed with; undefined once connected, and where nobody says anything. */
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
  // QUIT lets what was sent before it finish; without an answer the socket is dropped.
  client.quit().catch(() => client.disconnect());
  await ended;
  client.disconnect();
}

export interface ServerInfo {
  /** `primary` or `replica`; undefined where the server does not say so or may not be asked. */
  readonly role?: string;
  /** Why a client of one server cannot work with it. */
  readonly problem?: string;
}

/** What servers call it, and what we do. */
const roles: Readonly<Record<string, string>> = { master: 'primary', slave: 'replica' };

/** What a server says of itself. Never rejects. */
export async function serverInfo(client: Redis): Promise<ServerInfo> {
  const info = await client.info().catch(() => '');
  const said = (name: string) => new RegExp(`^${name}:([a-z0-9]{1,20})\\r?$`, 'm').exec(info)?.[1];
  const role = said('role');
  if (said('cluster_enabled') === '1') {
    return { problem: 'is a node of a cluster, which needs redis+cluster:// and its nodes' };
  }
  if (role === 'sentinel' || said('(?:redis|server)_mode') === 'sentinel') {
    return { problem: 'is a sentinel, which needs redis+sentinel:// and the name of a master' };
  }
  return role === undefined ? {} : { role: roles[role] ?? role };
}

/** Why asking a server failed that is there and of another kind than the client takes it for; undefined for any other failure. */
export function wrongKind(kind: 'single' | 'cluster' | 'sentinel', failure: string): string | undefined {
  if (kind === 'cluster' && /cluster support disabled|unknown command/i.test(failure)) {
    return 'is no node of a cluster: one server is redis://';
  }
  if (kind !== 'sentinel') return undefined;
  if (/unknown command/i.test(failure)) return 'is no sentinel: one server is redis://, a cluster redis+cluster://';
  return failure.includes('No such master') ? 'is unknown to its sentinels by that name' : undefined;
}
