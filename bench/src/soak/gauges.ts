import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from './replica.js';
import type { Scene } from './scene.js';

/** What one replica holds when it has nothing to do and has collected its garbage. */
export interface ReplicaGauge {
  readonly name: string;
  readonly pid: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly files: number;
  /** Timers, sockets and whatever else keeps a process alive. */
  readonly handles: number;
}

export interface StoreGauge {
  readonly redisMb: number;
  readonly redisKeys: number;
  /** Keys that stay for ever. */
  readonly redisKeysForEver: number;
  /** Connections of the services. */
  readonly postgresConnections: number;
  readonly idleInTransaction: number;
}

export interface Checkpoint extends StoreGauge {
  /** Share of the soak, 0 to 1. */
  readonly at: number;
  readonly replicas: readonly ReplicaGauge[];
}

const collectMs = 1500;

/** Looks at everything while all callers are held. */
export async function checkpoint(scene: Scene, at: number): Promise<Checkpoint> {
  // Twice: what the first collection has finalized goes with the second.
  for (let round = 0; round < 2; round++) {
    for (const replica of scene.replicas) replica.signal('SIGWINCH');
    await sleep(collectMs);
  }
  const replicas = await Promise.all(scene.replicas.map(gaugeOf));
  return { at, replicas, ...(await storesOf(scene)) };
}

async function gaugeOf({ name, pid, url }: Replica): Promise<ReplicaGauge> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const figure = (series: string) =>
    Number(new RegExp(`^${series}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  const mb = (series: string) => figure(series) / 1_048_576;
  return {
    name,
    pid,
    heapMb: mb('nodejs_heap_size_used_bytes'),
    residentMb: mb('process_resident_memory_bytes'),
    files: figure('process_open_fds'),
    handles: figure('nodejs_active_resources_total'),
  };
}

async function storesOf({ redis, postgres }: Scene): Promise<StoreGauge> {
  const memory = await redis.client.info('memory');
  const keyspace = await redis.client.info('keyspace');
  const [keys, expiring] = [/keys=(\d+)/, /expires=(\d+)/].map((what) => Number(what.exec(keyspace)?.[1] ?? 0));
  const [row] = await postgres.admin()<{ all: number; idle: number }[]>`
    select count(*)::int as all, count(*) filter (where state like 'idle in transaction%')::int as idle
    from pg_stat_activity where usename = 'service'`;
  return {
    redisMb: Number(/^used_memory:(\d+)/m.exec(memory)?.[1]) / 1_048_576,
    redisKeys: keys ?? 0,
    redisKeysForEver: (keys ?? 0) - (expiring ?? 0),
    postgresConnections: row?.all ?? 0,
    idleInTransaction: row?.idle ?? 0,
  };
}
