import { Cluster, type Command, type Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { launchRedisCluster, until } from './redis-cluster.js';
import { launchRedisSentinels } from './redis-sentinels.js';

interface FailingOver {
  readonly url: string;
  readonly failOver: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

interface Kind {
  readonly kind: string;
  readonly start: () => Promise<FailingOver>;
}

/** `describe.each(kindsThatFailOver)`, and `failingOver` in it. */
export const kindsThatFailOver: readonly Kind[] = [
  { kind: 'a cluster with a failover in the middle', start: launchRedisCluster },
  { kind: 'a primary with sentinels and a failover in the middle', start: launchRedisSentinels },
];

/** The second command triggers the failover, so it finds other primaries than the first one. */
const second = 2;
/** Commands of clients for connecting and discovery. */
const ofClients = new Set(['auth', 'hello', 'info', 'client', 'select', 'cluster', 'readonly', 'ping', 'quit']);

/**
 * A Redis of the suite, with a coordinated failover without data loss in the middle of its first case. Commands of `held` clients
 * wait for the end of the failover; `follow` waits until its clients have found the new primary.
 *
 * @param isHeard whether all subscribers receive messages again, which is waited for as well
 */
export function failingOver({ start }: Kind, isHeard = async () => true) {
  let redis: FailingOver;
  let asked = 0;
  let change: Promise<void> | undefined;
  const clients = new Set<Redis | Cluster>();
  beforeAll(async () => {
    redis = await start();
  });
  afterAll(async () => {
    await redis.remove();
    if (change === undefined) throw new Error('no primary has changed');
  });

  const follow = (client: Redis | Cluster): void => {
    clients.add(client);
    client.once('end', () => clients.delete(client));
  };
  const answers: Promise<unknown>[] = [];
  const seen = new WeakSet<Command>();
  const failOver = async (): Promise<void> => {
    await Promise.allSettled(answers);
    const moves = await Promise.all([...clients].map(moved));
    await redis.failOver();
    await Promise.all([...moves, isHeard].map((isDone) => until(isDone)));
  };
  const held = (client: Redis | Cluster): void => {
    follow(client);
    const send = client.sendCommand.bind(client);
    client.sendCommand = (command: Command, ...more: []) => {
      // A command that waited for a connection is sent twice.
      if (ofClients.has(command.name) || seen.has(command)) return send(command, ...more);
      seen.add(command);
      asked += 1;
      if (asked === second) change = failOver();
      if (change === undefined) {
        answers.push(command.promise);
        return send(command, ...more);
      }
      // Each sentinel may trigger a reconnect after the failover.
      change
        .then(() => (client.status === 'ready' ? undefined : until(async () => (await client.ping()) === 'PONG')))
        .then(() => send(command, ...more))
        .catch((error: Error) => command.reject(error));
      return command.promise;
    };
  };
  return { url: () => redis.url, held, follow };
}

/** Returns a check for whether a client has moved to another server. A cluster client finds its way by itself. */
async function moved(client: Redis | Cluster): Promise<() => Promise<boolean>> {
  if (client instanceof Cluster) return async () => true;
  const server = async () => /^run_id:(\w+)/m.exec(await client.info('server'))?.[1];
  const before = await server();
  return async () => (await server()) !== before;
}
