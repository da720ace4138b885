import { isIP } from 'node:net';
import { Cluster, Redis } from 'ioredis';
import { batchWrites, type EndOfTurn } from './batch-writes.js';
import type { RedisClient } from './redis-client.js';
import { clusterAway } from './redis-trouble.js';
import type { RedisTarget } from './redis-url.js';

const CONNECT_TIMEOUT_MS = 3_000;
/** How often a cluster is asked where its slots are, beside whenever a node says that they are elsewhere. */
const SLOTS_EVERY_MS = 5_000;

/** Of a subscriber, in ms: the pause between two pings, and the longest wait for any reply. A silent connection is replaced within both. */
const SUBSCRIBER = { pingEveryMs: 5_000, replyMs: 5_000 };

export interface ConnectOptions {
  readonly connectionName: string;
  /** Certificate authority of a server with TLS, as PEM; otherwise those that Node knows. */
  readonly ca?: string | undefined;
  /** For one command; undefined for a client that waits out an outage, with what it is to say and hear. */
  readonly commandTimeoutMs: number | undefined;
  readonly isClosing: () => boolean;
  /** Called when a server refuses a write because it is a replica; the client dials again by itself. */
  readonly onReplica: () => void;
  readonly turn: EndOfTurn;
}

/** A client that is not connected yet, and will try again for as long as nobody closes it. */
export function connectRedis(target: RedisTarget, options: ConnectOptions): RedisClient {
  if (target.kind === 'cluster') return clusterClient(target, options);
  const { addresses, sentinel, isTls } = target;
  const [{ host, port }] = addresses;
  const settings = {
    ...ofEach(target, options),
    db: target.db,
    lazyConnect: true,
    enableOfflineQueue: options.commandTimeoutMs === undefined,
    // `RedisSubscriber` does that.
    autoResubscribe: false,
    retryStrategy: waitFor(options),
    // After a failover the old connection leads to a replica; 1 means dial again without sending the command again.
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
          // A primary that hangs is left when the sentinels say so, not when the system gives its connection up.
          failoverDetector: true,
          sentinelTLS: settings.tls,
          enableTLSForSentinelMode: isTls,
        });
  batchWrites(client, options.turn);
  if (options.commandTimeoutMs === undefined) pingWhileOpen(client);
  return client;
}

function clusterClient(target: RedisTarget, options: ConnectOptions): Cluster {
  const cluster = new Cluster([...target.addresses], {
    redisOptions: ofEach(target, options),
    lazyConnect: true,
    clusterRetryStrategy: waitFor(options),
    // What a lost connection took with it may have run: nothing is sent a second time.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: SLOTS_EVERY_MS,
    // A certificate names hosts, so they are not turned into addresses here.
    dnsLookup: (address, found) => found(null, address),
  });
  cluster.on('+node', (node: Redis) => batchWrites(node, options.turn));
  if (options.commandTimeoutMs !== undefined) {
    refuseWhileAway(cluster, options.commandTimeoutMs);
    cluster.on('+node', (node: Redis) => quitBeforeDisconnect(node, options.isClosing));
  } else cluster.on('+node', pingWhileOpen);
  return cluster;
}

/** A subscriber sends nothing between messages, so only a ping shows that its connection is silent; `socketTimeout` then ends it. */
function pingWhileOpen(redis: Redis): void {
  const timer = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => {});
  }, SUBSCRIBER.pingEveryMs).unref();
  redis.once('end', () => clearInterval(timer));
}

/**
 * Has a command fail at once while no cluster is there, and at its timeout wherever it waits. The client's own way, to have no queue,
 * refuses what is asked of a node that is being connected to, its own look at the cluster included.
 */
function refuseWhileAway(cluster: Cluster, commandTimeoutMs: number): void {
  const send = cluster.sendCommand.bind(cluster);
  cluster.sendCommand = (command, stream, node) => {
    if (cluster.status !== 'ready' && command.name !== 'cluster') {
      command.reject(new Error(clusterAway));
      return command.promise;
    }
    command.setTimeout(commandTimeoutMs);
    return send(command, stream, node);
  };
}

const waitFor =
  ({ isClosing }: ConnectOptions) =>
  (attempt: number): number | null =>
    isClosing() ? null : Math.min(2_000, 50 * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Of each connection to a server. */
function ofEach({ username, password, isTls }: RedisTarget, { connectionName, commandTimeoutMs, ca }: ConnectOptions) {
  return {
    username,
    password,
    tls: isTls ? { ca } : undefined,
    connectionName,
    // The name of the library is nothing that a server needs, and users with few rights may not say it.
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
 * Has a node that leaves the cluster, or that an answer about slots does not name in the middle of a failover, answer first what it
 * was asked. The client drops its connection otherwise, and nobody knows what became of the commands on it.
 *
 * @param isAtOnce whether waiting is over, as while the client closes
 */
export function quitBeforeDisconnect(node: Redis, isAtOnce: () => boolean): void {
  const disconnect = node.disconnect.bind(node);
  let isLeaving = false;
  node.disconnect = (reconnect) => {
    if (isLeaving || reconnect === true || isAtOnce()) return disconnect(reconnect);
    isLeaving = true;
    // It is answered last, after all that is on its way, or fails at the timeout of a command.
    node.quit().catch(() => disconnect());
  };
}
