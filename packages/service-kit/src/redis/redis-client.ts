import { Cluster, Command, type Redis } from 'ioredis';
import { slotOwner } from './slot-owner.js';

/** One server, the primary that sentinels name, or all masters of a cluster: whoever asks need not know which. */
export type RedisClient = Redis | Cluster;

/**
 * How a word is said on a channel. On a cluster a channel lies with the keys of its hash tag, and is heard at that master alone:
 * the other kind is carried to every node, for each frame of each answer.
 */
export const publishCommand = (client: RedisClient): 'PUBLISH' | 'SPUBLISH' =>
  client.isCluster ? 'SPUBLISH' : 'PUBLISH';

/** Says a word to all who hear the channel. */
export async function publish(client: RedisClient, channel: string, text: string): Promise<void> {
  await (client.isCluster ? client.spublish(channel, text) : client.publish(channel, text));
}

/**
 * The same, for who has to know how many connections hear it. Resolves with that, or with Infinity when the master of a cluster changes at
 * that moment: one that was it passes words on, and counts those alone who hear it there. Costs a cluster two looks for a key more.
 */
export async function publishCounted(client: RedisClient, channel: string, text: string): Promise<number> {
  if (!(client instanceof Cluster)) return client.publish(channel, text);
  const node = await slotOwner(client, channel);
  const said = client.sendCommand(new Command('spublish', [channel, text]), undefined, { redis: node });
  const [count, owner] = await Promise.all([said, slotOwner(client, channel)]);
  return owner === node ? Number(count) : Infinity;
}
