import { Cluster, Command, type Redis } from 'ioredis';

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

/** As many as the client follows for one command. */
const redirectionsMost = 16;

/**
 * The master that has the slot of a key, by its own word. What a client knows of a cluster may be seconds old, and one that has become a
 * replica takes words and listeners as before, of which nobody else knows; it answers for keys no more.
 */
export async function slotOwner(cluster: Cluster, key: string): Promise<Redis> {
  for (let count = 0; count < redirectionsMost; count += 1) {
    const look = new Command('pttl', [key]);
    const at: { slot: number; redis?: Redis } = { slot: look.getSlot() };
    const refusal = await Promise.resolve(cluster.sendCommand(look, undefined, at)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    // A slot that is on its way is with the one that says where a key of it may be by now.
    if (at.redis !== undefined && (refusal === undefined || refusal.startsWith('ASK '))) return at.redis;
    // The client follows this one, and learns the way.
    await cluster.pttl(key);
  }
  throw new Error('Too many Cluster redirections');
}
