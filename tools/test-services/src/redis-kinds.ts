import type { Cluster, Redis } from 'ioredis';
import { locate } from './locate.js';

export { asUser } from './shipped-users.js';

/** A cluster of this run, or undefined if the machine has none. All test files share it, with names of their own, and none empties it. */
export const redisClusterUrl: string | undefined = await locate('redisCluster');

/** The same for a primary with a replica and sentinels. */
export const redisSentinelsUrl: string | undefined = await locate('redisSentinels');

/** Deletes all keys under a prefix, at every master of a cluster. */
export async function emptyPrefix(client: Redis | Cluster, prefix: string): Promise<void> {
  const servers: readonly (Redis | Cluster)[] = 'nodes' in client ? client.nodes('master') : [client];
  const keys = await Promise.all(servers.map((server) => server.keys(`${prefix}*`)));
  await Promise.all(keys.flat().map((key) => client.del(key)));
}
