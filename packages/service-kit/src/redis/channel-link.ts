import type { Cluster, Redis } from 'ioredis';
import { slotOwner } from './redis-client.js';

/** Subscribes to channels of one kind of Redis, on dedicated connections. */
export interface ChannelLink {
  /** State of the connection; `ended` is final. */
  readonly state: () => 'up' | 'down' | 'ended';
  /** Resolves once the server has confirmed; rejects if the connection is down or closes before. */
  readonly subscribe: (channel: string) => Promise<unknown>;
  readonly unsubscribe: (channel: string) => Promise<unknown>;
  readonly onMessage: (listener: (channel: string, text: string) => void) => void;
  /** Reports channels (all if omitted) that the server no longer delivers, and reports them again once they can be renewed. */
  readonly onDropped: (report: (channels?: readonly string[]) => void) => void;
}

/**
 * One server, or the primary that sentinels name. Does not rely on the client's resubscription: ioredis drops channels if their
 * connection closes before they are confirmed, and never settles commands in flight on a closed connection.
 */
export function serverLink(redis: Redis): ChannelLink {
  const inFlight = new Set<(error: Error) => void>();
  redis.on('close', () => {
    for (const reject of inFlight) reject(new Error('the connection closed'));
    inFlight.clear();
  });
  const request = (command: 'subscribe' | 'unsubscribe', channel: string) =>
    new Promise((resolve, reject) => {
      if (redis.status !== 'ready') {
        reject(new Error('the connection is down'));
        return;
      }
      inFlight.add(reject);
      redis[command](channel)
        .then(resolve, reject)
        .finally(() => inFlight.delete(reject));
    });
  return {
    state: () => (redis.status === 'ready' ? 'up' : redis.status === 'end' ? 'ended' : 'down'),
    subscribe: (channel) => request('subscribe', channel),
    unsubscribe: (channel) => request('unsubscribe', channel),
    onMessage: (listener) => redis.on('message', listener),
    onDropped: (report) => void redis.on('close', () => report()).on('ready', () => report()),
  };
}

/**
 * Each channel at the master that owns its slot. ioredis leaves a channel at a node that became a replica, or at none, until its
 * next refresh of the slots.
 */
export function clusterLink(cluster: Cluster): ChannelLink {
  const nodes = new Map<string, Redis>();
  const subscribe = async (channel: string): Promise<void> => {
    const node = await slotOwner(cluster, channel);
    // A node drops its subscribers when it becomes a replica, but accepts new ones afterwards.
    const [, owner] = await Promise.all([node.ssubscribe(channel), slotOwner(cluster, channel).catch(() => undefined)]);
    if (owner === node) nodes.set(channel, node);
    else {
      await node.sunsubscribe(channel);
      await subscribe(channel);
    }
  };
  return {
    state: () => (cluster.status === 'end' ? 'ended' : 'up'),
    subscribe,
    unsubscribe: async (channel) => {
      const node = nodes.get(channel);
      nodes.delete(channel);
      await node?.sunsubscribe(channel);
    },
    onMessage: (listener) => void cluster.on('+node', (node: Redis) => node.on('smessage', listener)),
    onDropped: (report) =>
      void cluster.on('+node', (node: Redis) => {
        let isDue = false;
        const check = () => {
          isDue = false;
          const active = activeChannels(node);
          const dropped = [...nodes.keys()].filter((channel) => nodes.get(channel) === node && !active.has(channel));
          for (const channel of dropped) nodes.delete(channel);
          report(dropped);
        };
        node.on('end', check);
        // Emitted once for each dropped channel; there may be thousands.
        node.on('moved', () => {
          if (!isDue) setImmediate(check);
          isDue = true;
        });
      }),
  };
}

function activeChannels({ status, condition }: Redis): ReadonlySet<string> {
  return new Set(status === 'ready' && condition?.subscriber ? condition.subscriber.channels('ssubscribe') : []);
}
