import type { Cluster, Redis } from 'ioredis';
import { slotOwner } from './redis-client.js';

/** How channels are asked for at a Redis of one kind, on connections of their own. */
export interface ChannelLink {
  /** Whether there is somebody to ask; `over` when there never will be again. */
  readonly state: () => 'up' | 'away' | 'over';
  /** Resolves once the server has said that it is done; rejects when the connection is away, or goes first. */
  readonly subscribe: (channel: string) => Promise<unknown>;
  readonly unsubscribe: (channel: string) => Promise<unknown>;
  readonly onWord: (hear: (channel: string, text: string) => void) => void;
  /** Calls back when all that was subscribed to is forgotten, or some of it, and once more where it can only be asked for again later. */
  readonly onForgotten: (forget: (some?: readonly string[]) => void) => void;
}

/**
 * One server, or the primary that sentinels name. The client's own ways are not for this: it forgets channels where a connection goes before it has
 * confirmed them, as happens when a primary is found and sentinels then say that it has changed; and what was on its way on a connection that
 * went is never answered.
 */
export function serverLink(redis: Redis): ChannelLink {
  const onTheirWay = new Set<(error: Error) => void>();
  redis.on('close', () => {
    for (const reject of onTheirWay) reject(new Error('the connection went'));
    onTheirWay.clear();
  });
  const ask = (command: 'subscribe' | 'unsubscribe', channel: string) =>
    new Promise((resolve, reject) => {
      if (redis.status !== 'ready') {
        reject(new Error('the connection is away'));
        return;
      }
      onTheirWay.add(reject);
      redis[command](channel)
        .then(resolve, reject)
        .finally(() => onTheirWay.delete(reject));
    });
  return {
    state: () => (redis.status === 'ready' ? 'up' : redis.status === 'end' ? 'over' : 'away'),
    subscribe: (channel) => ask('subscribe', channel),
    unsubscribe: (channel) => ask('unsubscribe', channel),
    onWord: (hear) => redis.on('message', hear),
    onForgotten: (forget) => void redis.on('close', () => forget()).on('ready', () => forget()),
  };
}

/**
 * Each channel at the master that has its slot, on the connection that the client has to it. The client's own way leaves a channel at a node that has become
 * a replica, or nowhere, until it looks for changes the next time.
 */
export function clusterLink(cluster: Cluster): ChannelLink {
  const homes = new Map<string, Redis>();
  const subscribe = async (channel: string): Promise<void> => {
    const node = await slotOwner(cluster, channel);
    // A node lets go of all who listen as it becomes a replica, but takes who comes after that.
    const [, owner] = await Promise.all([node.ssubscribe(channel), slotOwner(cluster, channel).catch(() => undefined)]);
    if (owner === node) homes.set(channel, node);
    else {
      await node.sunsubscribe(channel);
      await subscribe(channel);
    }
  };
  return {
    state: () => (cluster.status === 'end' ? 'over' : 'up'),
    subscribe,
    unsubscribe: async (channel) => {
      const node = homes.get(channel);
      homes.delete(channel);
      await node?.sunsubscribe(channel);
    },
    onWord: (hear) => void cluster.on('+node', (node: Redis) => node.on('smessage', hear)),
    onForgotten: (forget) =>
      void cluster.on('+node', (node: Redis) => {
        let isDue = false;
        const look = () => {
          isDue = false;
          const held = heldBy(node);
          const gone = [...homes.keys()].filter((channel) => homes.get(channel) === node && !held.has(channel));
          for (const channel of gone) homes.delete(channel);
          forget(gone);
        };
        node.on('end', look);
        // Said once for each channel that it lets go of, of which there may be thousands.
        node.on('moved', () => {
          if (!isDue) setImmediate(look);
          isDue = true;
        });
      }),
  };
}

function heldBy({ status, condition }: Redis): ReadonlySet<string> {
  return new Set(status === 'ready' && condition?.subscriber ? condition.subscriber.channels('ssubscribe') : []);
}
