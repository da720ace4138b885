import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { launchRedis, type RedisServer, type TlsFiles } from './redis-server.js';
import { giveUsers } from './shipped-users.js';

export interface RedisCluster {
  /** `redis+cluster://`, with every node. */
  readonly url: string;
  /** Three masters, each with its replica three places further on; the replica is the master once the other has been killed. */
  readonly nodes: readonly RedisServer[];
  /** Resolves when the replicas have the current data of the masters. */
  readonly replicated: () => Promise<void>;
  /** Promotes each replica in a coordinated failover, without data loss. Once. */
  readonly failOver: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export interface RedisClusterOptions {
  /** How long a master is silent before its replica takes its place. Default: longer than a test may starve. */
  readonly nodeTimeoutMs?: number;
  /** Whether its address is one of TLS, with certificates of `127.0.0.1`. */
  readonly tls?: TlsFiles;
}

const masters = 3;
const slots = 16_384;
/**
 * Time for the cluster to form. A lost message is repeated after half of this time and a handshake abandoned after all of it:
 * with the later value of the setting a start would take as long.
 */
const joiningTimeoutMs = 4_000;

/**
 * Three masters with a replica each, on 127.0.0.1, of one password and with the users that operators are given. Ready for
 * commands, and for a failover, when this resolves.
 */
export async function launchRedisCluster({
  nodeTimeoutMs = 30_000,
  tls,
}: RedisClusterOptions = {}): Promise<RedisCluster> {
  const password = randomBytes(12).toString('hex');
  const settings = [
    `cluster-node-timeout ${joiningTimeoutMs}`,
    'repl-diskless-sync-delay 0',
    // A replica without data is not reported to clients.
    'repl-ping-replica-period 1',
    // Permits the failover of a replica that was once disconnected for some time.
    'cluster-replica-validity-factor 0',
  ];
  const nodes = await Promise.all(
    Array.from({ length: 2 * masters }, () => launchRedis({ cluster: true, password, settings, ...(tls && { tls }) })),
  );
  const clients = nodes.map(({ url }) => new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000 }));
  const remove = async () => {
    await Promise.all(nodes.map((node) => node.remove()));
  };
  try {
    await join(nodes, clients);
    await Promise.all(clients.map((client) => giveUsers(client)));
    await Promise.all(
      clients.map((client) =>
        client.config('SET', 'cluster-node-timeout', nodeTimeoutMs, 'cluster-replica-no-failover', 'no'),
      ),
    );
  } catch (error) {
    await remove();
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  const hosts = nodes.map(hostOf).join(',');
  const replicated = async () => {
    await Promise.all(nodes.slice(0, masters).map(isReplicated));
  };
  const failOver = async () => {
    // Two simultaneous elections may both fail.
    for (const [at, node] of nodes.slice(0, masters).entries()) await swapped(node, nodes[at + masters] ?? node);
  };
  return { url: `redis${tls ? 's' : ''}+cluster://:${password}@${hosts}`, nodes, replicated, failOver, remove };
}

async function swapped(master: RedisServer, replica: RedisServer): Promise<void> {
  const clients = [master, replica].map(
    ({ url }) => new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000 }),
  );
  const replication = () => Promise.all(clients.map((client) => client.info('replication')));
  try {
    await clients[1]?.call('CLUSTER', 'FAILOVER');
    await until(async () => {
      const [old = '', now = ''] = await replication();
      return now.includes('role:master') && old.includes('master_link_status:up');
    });
  } finally {
    for (const client of clients) client.disconnect();
  }
}

/** The address of the port for clients. */
export function hostOf({ url, tlsPort }: RedisServer): string {
  return tlsPort === undefined ? new URL(url).host : `127.0.0.1:${tlsPort}`;
}

async function join(nodes: readonly RedisServer[], clients: readonly Redis[]): Promise<void> {
  const addresses = await Promise.all(
    clients.map(async (client, at): Promise<[string, string, string]> => {
      const [, bus = ''] = (await client.config('GET', 'cluster-port')) as string[];
      return ['127.0.0.1', new URL(nodes[at]?.url ?? '').port, bus];
    }),
  );
  // The short timeout of the start must not have a replica take over on a busy machine.
  await Promise.all(clients.map((client) => client.config('SET', 'cluster-replica-no-failover', 'yes')));
  await Promise.all(
    clients.slice(0, masters).map((client, at) => {
      return client.call('CLUSTER', 'ADDSLOTSRANGE', firstSlot(at), firstSlot(at + 1) - 1);
    }),
  );
  // A greeting that got no answer in time is forgotten, so it is sent again until the node is known.
  await Promise.all(
    clients.map((client) =>
      until(async () => {
        const known = busPortsIn(String(await client.call('CLUSTER', 'NODES')));
        const unknown = addresses.filter(([, , bus]) => !known.has(bus));
        for (const address of unknown) await client.call('CLUSTER', 'MEET', ...address);
        return unknown.length === 0;
      }),
    ),
  );
  const ids = await Promise.all(clients.map((client) => client.call('CLUSTER', 'MYID')));
  await Promise.all(
    clients.slice(masters).map(async (replica, at) => {
      await until(() => replica.call('CLUSTER', 'REPLICATE', String(ids[at])).then(() => true));
    }),
  );
  await Promise.all(
    clients.map((client, at) =>
      until(async () => {
        const [state, replication, ranges] = await Promise.all([
          client.call('CLUSTER', 'INFO'),
          client.info('replication'),
          client.call('CLUSTER', 'SLOTS'),
        ]);
        const isInPlace = at < masters ? /^slave0:.*state=online/m : /^master_link_status:up/m;
        const isKnown = (ranges as unknown[][]).every(([, , , replica]) => replica !== undefined);
        return isKnown && String(state).includes('cluster_state:ok') && isInPlace.test(replication);
      }),
    ),
  );
}

/** Bus ports of the nodes in a reply to `CLUSTER NODES`, except those during their handshake. */
function busPortsIn(nodes: string): ReadonlySet<string> {
  const met = nodes.split('\n').filter((line) => !line.includes('handshake'));
  return new Set(met.map((line) => /@(\d+)/.exec(line)?.[1] ?? ''));
}

const firstSlot = (master: number) => Math.floor((slots * master) / masters);

/** Resolves when the replica of a primary has the primary's current data. */
export async function isReplicated({ url }: RedisServer): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  const offset = async (pattern: RegExp) => Number(pattern.exec(await client.info('replication'))?.[1]);
  try {
    const written = await offset(/^master_repl_offset:(\d+)/m);
    await until(async () => (await offset(/^slave0:.*offset=(\d+)/m)) >= written);
  } finally {
    client.disconnect();
  }
}

/** Polls until the condition holds; its last error is thrown only at the time limit. */
export async function until(isSo: () => Promise<boolean>, limitMs = 50_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const last: unknown = await isSo().catch((error: unknown) => error);
    if (last === true) return;
    if (Date.now() > deadline) throw last instanceof Error ? last : new Error(`not so within ${limitMs} ms`);
    await sleep(25);
  }
}
