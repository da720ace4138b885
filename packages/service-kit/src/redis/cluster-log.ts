import type { Cluster, Redis } from 'ioredis';
import type { Logger } from '../logging.js';

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
