import { Cluster, Command, type Redis } from 'ioredis';

/** One server, the primary that sentinels name, or all masters of a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * The publish command. On a cluster a sharded channel lives at the master of its hash tag; a plain channel is forwarded to every
 * node.
 */
export const publishCommand = (client: RedisClient): 'PUBLISH' | 'SPUBLISH' =>
  client.isCluster ? 'SPUBLISH' : 'PUBLISH';

/** Publishes a message to all subscribers of the channel. */
export async function publish(client: RedisClient, channel: string, text: string): Promise<void> {
  await (client.isCluster ? client.spublish(channel, text) : client.publish(channel, text));
}

/**
 * Publishes a message and resolves with the number of receiving connections, or with Infinity if the cluster's master changes
 * meanwhile: a former master forwards the message but counts its own subscribers only. Costs two more commands on a cluster.
 */
export async function publishCounted(client: RedisClient, channel: string, text: string): Promise<number> {
  if (!(client instanceof Cluster)) return client.publish(channel, text);
  const node = await slotOwner(client, channel);
  const sent = client.sendCommand(new Command('spublish', [channel, text]), undefined, { redis: node });
  const [count, owner] = await Promise.all([sent, slotOwner(client, channel)]);
  return owner === node ? Number(count) : Infinity;
}

/** As many as the client follows for one command. */
const redirectionsMost = 16;

/**
 * The master that owns the slot of a key, as it confirms itself. The client's slot map may be seconds old, and a former master still
 * accepts messages and subscribers; it no longer answers for keys.
 */
export async function slotOwner(cluster: Cluster, key: string): Promise<Redis> {
  for (let count = 0; count < redirectionsMost; count += 1) {
    const probe = new Command('pttl', [key]);
    const at: { slot: number; redis?: Redis } = { slot: probe.getSlot() };
    const refusal = await Promise.resolve(cluster.sendCommand(probe, undefined, at)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    // A migrating slot still belongs to the node that answers ASK.
    if (at.redis !== undefined && (refusal === undefined || refusal.startsWith('ASK '))) return at.redis;
    // The client follows the redirection of this command and updates its slot map.
    await cluster.pttl(key);
  }
  throw new Error('Too many Cluster redirections');
}
