import { type Cluster, Command, type Redis } from 'ioredis';

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
