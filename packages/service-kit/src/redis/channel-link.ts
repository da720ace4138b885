import type { Cluster, Redis } from 'ioredis';

/** How channels are asked for at a Redis of one kind, on connections of their own. */
export interface ChannelLink {
  /** Whether there is somebody to ask; `over` when there never will be again. */
  readonly state: () => 'up' | 'away' | 'over';
  /** Resolves once the server has said that it is done; rejects when the connection is away, or goes first. */
  readonly subscribe: (channel: string) => Promise<unknown>;
  readonly unsubscribe: (channel: string) => Promise<unknown>;
  readonly onWord: (hear: (channel: string, text: string) => void) => void;
  /** Calls back when all that was subscribed to is forgotten, and once more when it can be asked for again. */
  readonly onForgotten: (forget: () => void) => void;
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
    onForgotten: (forget) => redis.on('close', forget).on('ready', forget),
  };
}

/** Each channel at the master that has its slot. The client asks for all that it was asked for again wherever slots or nodes have changed. */
export function clusterLink(cluster: Cluster): ChannelLink {
  return {
    state: () => (cluster.status === 'end' ? 'over' : 'up'),
    subscribe: (channel) => cluster.ssubscribe(channel),
    unsubscribe: (channel) => cluster.sunsubscribe(channel),
    onWord: (hear) => cluster.on('smessage', hear),
    onForgotten: () => {},
  };
}
