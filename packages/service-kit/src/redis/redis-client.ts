import type { Cluster, Redis } from 'ioredis';

/** One server, the primary that sentinels name, or all masters of a cluster: whoever asks need not know which. */
export type RedisClient = Redis | Cluster;

/**
 * How a word is said on a channel. On a cluster a channel lies with the keys of its hash tag, and is heard at that master alone:
 * the other kind is carried to every node, for each frame of each answer.
 */
export const publishCommand = (client: RedisClient): 'PUBLISH' | 'SPUBLISH' =>
  client.isCluster ? 'SPUBLISH' : 'PUBLISH';

/** Resolves with how many connections hear it. */
export async function publish(client: RedisClient, channel: string, text: string): Promise<number> {
  return client.isCluster ? Number(await client.spublish(channel, text)) : client.publish(channel, text);
}
