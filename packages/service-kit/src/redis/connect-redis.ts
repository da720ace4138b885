import { isIP } from 'node:net';
import { intervalLoop } from '@mlango/async/interval-loop';
import { backoffMs } from '@mlango/async/retry';
import { Cluster, Redis } from 'ioredis';
import type { RedisTarget } from '../env/redis-url.js';
import { clusterDown } from '../errors/redis-trouble.js';
import { batchWrites, type DeferredWork } from './batch-writes.js';
import type { RedisClient } from './redis-client.js';

const CONNECT_TIMEOUT_MS = 3_000;
/** Pause before a client that ended by itself connects again. */
const ENDED_PAUSE_MS = 500;
/** Interval of the slot refresh, in addition to the refresh on each MOVED reply. */
const SLOTS_EVERY_MS = 5_000;

/**
 * Settings of a subscriber, in ms: the pause between two pings, and the longest wait for any reply. A silent connection is
 * replaced within both.
 */
const SUBSCRIBER = { pingEveryMs: 5_000, replyMs: 5_000 };

export interface ConnectOptions {
  readonly connectionName: string;
  /** Certificate authority of a server with TLS, as PEM. Default: those of Node.js. */
  readonly ca?: string | undefined;
  /** For one command; undefined for a client that queues commands during an outage. */
  readonly commandTimeoutMs: number | undefined;
  readonly isClosing: () => boolean;
  /** Called when a server refuses a write because it is a replica; the client reconnects by itself. */
  readonly onReplica: () => void;
  readonly turn: DeferredWork;
}

/** A client that is not connected yet, and reconnects until it is closed. */
export function connectRedis(target: RedisTarget, options: ConnectOptions): RedisClient {
  if (target.kind === 'cluster') return clusterClient(target, options);
  const { addresses, sentinel, isTls } = target;
  const [{ host, port }] = addresses;
  const settings = {
    ...ofEach(target, options),
    db: target.db,
    lazyConnect: true,
    enableOfflineQueue: options.commandTimeoutMs === undefined,
    // `RedisSubscriber` resubscribes.
    autoResubscribe: false,
    retryStrategy: waitFor(options),
    // After a failover the old connection leads to a replica; 1 reconnects without sending the command again.
    reconnectOnError: (error: Error) => {
      if (!error.message.startsWith('READONLY')) return false;
      options.onReplica();
      return 1 as const;
    },
  };
  const servername = isTls && isIP(host) === 0 ? { servername: host } : {};
  const client =
    sentinel === undefined
      ? new Redis({ ...settings, host, port, tls: settings.tls && { ...settings.tls, ...servername } })
      : new Redis({
          ...settings,
          sentinels: [...addresses],
          name: sentinel.master,
          sentinelUsername: sentinel.username,
          sentinelPassword: sentinel.password,
          sentinelRetryStrategy: waitFor(options),
          sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
          // Leaves a hanging primary on a message of the sentinels, before the system's timeout.
          failoverDetector: true,
          sentinelTLS: settings.tls,
          enableTLSForSentinelMode: isTls,
        });
  batchWrites(client, options.turn);
  if (options.commandTimeoutMs === undefined) pingWhileOpen(client);
  connectWhenEnded(client, options);
  return client;
}

/** A failover message that arrives while ioredis connects ends the client for good, without its retry strategy. */
function connectWhenEnded(client: Redis, { isClosing, commandTimeoutMs }: ConnectOptions): void {
  client.on('end', () => {
    const timer = setTimeout(() => {
      if (isClosing() || client.status !== 'end') return;
      if (commandTimeoutMs === undefined) pingWhileOpen(client);
      client.connect().catch(() => {});
    }, ENDED_PAUSE_MS);
    timer.unref();
  });
}

function clusterClient(target: RedisTarget, options: ConnectOptions): Cluster {
  const cluster = new Cluster([...target.addresses], {
    redisOptions: ofEach(target, options),
    lazyConnect: true,
    clusterRetryStrategy: waitFor(options),
    // A command in flight on a closed connection may have run: no command is sent twice.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: SLOTS_EVERY_MS,
    // Certificates name hosts, so host names are not resolved here.
    dnsLookup: (address, found) => found(null, address),
  });
  cluster.on('+node', (node: Redis) => batchWrites(node, options.turn));
  if (options.commandTimeoutMs !== undefined) {
    refuseWhileDown(cluster, options.commandTimeoutMs);
    cluster.on('+node', (node: Redis) => quitBeforeDisconnect(node, options.isClosing));
  } else cluster.on('+node', pingWhileOpen);
  return cluster;
}

/** A subscriber sends nothing between messages, so only a ping shows that its connection is silent; `socketTimeout` then ends it. */
function pingWhileOpen(redis: Redis): void {
  const ping = () => (redis.status === 'ready' ? redis.ping().catch(() => {}) : undefined);
  const pings = intervalLoop(ping, () => SUBSCRIBER.pingEveryMs);
  redis.once('end', () => void pings.stop());
}

/**
 * Rejects a command at once while the cluster is unavailable, and otherwise at its timeout. The client's own option, no offline
 * queue, also rejects commands to a node that is connecting, such as its own slot refresh.
 */
function refuseWhileDown(cluster: Cluster, commandTimeoutMs: number): void {
  const send = cluster.sendCommand.bind(cluster);
  cluster.sendCommand = (command, stream, node) => {
    if (cluster.status !== 'ready' && command.name !== 'cluster') {
      command.reject(new Error(clusterDown));
      return command.promise;
    }
    command.setTimeout(commandTimeoutMs);
    return send(command, stream, node);
  };
}

const waitFor =
  ({ isClosing }: ConnectOptions) =>
  (attempt: number): number | null =>
    isClosing() ? null : backoffMs(attempt + 1, { firstMs: 50, longestMs: 2_000 });

/** Options of each connection to a server. */
function ofEach({ username, password, isTls }: RedisTarget, { connectionName, commandTimeoutMs, ca }: ConnectOptions) {
  return {
    username,
    password,
    tls: isTls ? { ca } : undefined,
    connectionName,
    // CLIENT SETINFO is not needed, and users with few rights may not call it.
    disableClientInfo: true,
    family: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: commandTimeoutMs,
    socketTimeout: commandTimeoutMs === undefined ? SUBSCRIBER.replyMs : commandTimeoutMs * 3,
    keepAlive: 30_000,
    maxRetriesPerRequest: commandTimeoutMs === undefined ? null : 1,
    autoResendUnfulfilledCommands: false,
  };
}

/**
 * Lets a node that leaves the cluster, or is missing in a slot reply during a failover, answer its pending commands before the client
 * disconnects. Otherwise the outcome of those commands is unknown.
 *
 * @param isAtOnce whether to disconnect at once, as while the client closes
 */
function quitBeforeDisconnect(node: Redis, isAtOnce: () => boolean): void {
  const disconnect = node.disconnect.bind(node);
  let isLeaving = false;
  node.disconnect = (reconnect) => {
    if (isLeaving || reconnect === true || isAtOnce()) return disconnect(reconnect);
    isLeaving = true;
    // QUIT is answered after all pending commands, or fails at the command timeout.
    node.quit().catch(() => disconnect());
  };
}
