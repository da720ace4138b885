import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { hostOf, isReplicated, until } from './redis-cluster.js';
import { launchRedis, type RedisServer, type TlsFiles } from './redis-server.js';
import { giveUsers } from './shipped-users.js';

export interface RedisSentinels {
  /** `redis+sentinel://`, with every sentinel, the name of the primary, and the passwords of both kinds. */
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Resolves when the replica has the current data of the primary. */
  readonly replicated: () => Promise<void>;
  /** The sentinels have the replica take the place of the primary, which they make its replica some seconds later. Once. */
  readonly failOver: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const watchers = 3;
const name = 'mlango';

/**
 * A primary with a replica, and three sentinels of which two decide. Ready for commands, and for a failover, when this resolves.
 *
 * @param downAfterMs how long the primary is silent before it is taken for down. Default: longer than a test may starve.
 * @param tls makes its address one of TLS, with certificates of `127.0.0.1`.
 */
export async function launchRedisSentinels(downAfterMs = 30_000, tls?: TlsFiles): Promise<RedisSentinels> {
  const password = randomBytes(12).toString('hex');
  const settings = ['repl-diskless-sync-delay 0'];
  const started: RedisServer[] = [];
  const start = async (options: Parameters<typeof launchRedis>[0]) => {
    const server = await launchRedis({ ...options, ...(tls && { tls }) });
    started.push(server);
    return server;
  };
  const remove = async () => {
    await Promise.all(started.map((server) => server.remove()));
  };
  try {
    const primary = await start({ password, settings });
    const port = hostOf(primary).split(':')[1];
    const replica = await start({ password, settings: [...settings, `replicaof 127.0.0.1 ${port}`] });
    const ofSentinels = randomBytes(12).toString('hex');
    const sentinelOf = () => [
      `sentinel monitor ${name} 127.0.0.1 ${port} 2`,
      `sentinel auth-pass ${name} ${password}`,
      `sentinel sentinel-pass ${ofSentinels}`,
      `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
      `sentinel failover-timeout ${name} 5000`,
    ];
    const sentinels = await Promise.all(
      Array.from({ length: watchers }, () => start({ password: ofSentinels, sentinelOf })),
    );
    await Promise.all([...sentinels.map(knowsAll), ...[primary, replica].map(givenUsers)]);
    const hosts = sentinels.map(hostOf).join(',');
    return {
      url: `redis${tls ? 's' : ''}+sentinel://:${password}@${hosts}/${name}?sentinel_password=${ofSentinels}`,
      primary,
      replica,
      replicated: () => isReplicated(primary),
      remove,
      failOver: () => swapped(sentinels),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Waits for all sentinels, because each notifies its clients by itself. */
async function swapped(sentinels: readonly RedisServer[]): Promise<void> {
  const clients = sentinels.map(
    ({ url }) => new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000, enableReadyCheck: false }),
  );
  const primaries = () =>
    Promise.all(clients.map(async (client) => String(await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name))));
  try {
    const before = new Set(await primaries());
    await until(async () => (await clients[0]?.call('SENTINEL', 'FAILOVER', name)) === 'OK');
    await until(async () => (await primaries()).every((primary) => !before.has(primary)));
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function givenUsers({ url }: RedisServer): Promise<void> {
  const admin = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  await giveUsers(admin).finally(() => admin.disconnect());
}

async function knowsAll({ url }: RedisServer): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000, enableReadyCheck: false });
  try {
    await until(async () => {
      const [replicas, others] = await Promise.all([
        client.call('SENTINEL', 'REPLICAS', name),
        client.call('SENTINEL', 'SENTINELS', name),
      ]);
      return (replicas as unknown[]).length === 1 && (others as unknown[]).length === watchers - 1;
    });
  } finally {
    client.disconnect();
  }
}
