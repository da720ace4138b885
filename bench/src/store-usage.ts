import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { cpuTimeUs } from './child-process.js';
import type { OwnServer } from './own-server.js';

/** What a Redis and a Postgres of this run have done so far. */
export interface StoreUsage {
  readonly redisCpuUs: number;
  /** Those within scripts among them. */
  readonly redisCommands: number;
  /** Received and sent. */
  readonly redisBytes: number;
  readonly postgresCpuUs: number;
}

/** Reads it; `close` ends its connection. */
export class StoreGauge {
  readonly #client: Redis;
  readonly #redis: OwnServer;
  readonly #postgres: OwnServer;

  constructor(redis: OwnServer, postgres: OwnServer) {
    this.#client = new Redis(redis.url);
    this.#redis = redis;
    this.#postgres = postgres;
  }

  async read(): Promise<StoreUsage> {
    const info = await this.#client.info('stats');
    const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    return {
      redisCpuUs: cpuTimeUs(this.#redis.pid),
      redisCommands: figure('total_commands_processed'),
      redisBytes: figure('total_net_input_bytes') + figure('total_net_output_bytes'),
      postgresCpuUs: childrenOf(this.#postgres.pid).reduce((sum, pid) => sum + cpuOf(pid), endedUs(this.#postgres.pid)),
    };
  }

  close(): void {
    this.#client.disconnect();
  }
}

/** Each connection of Postgres is a process. */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      return Number(/^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
    } catch {
      return false;
    }
  });
}

/** CPU of a process and of its children that have ended. */
function endedUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]) * 10_000, 0);
}

/** Nothing for a process that has ended meanwhile. */
function cpuOf(pid: number): number {
  try {
    return cpuTimeUs(pid);
  } catch {
    return 0;
  }
}
