import { Redis } from 'ioredis';

/** Reads what one Redis holds. */
export class RedisGauge {
  readonly client: Redis;

  constructor(url: string) {
    this.client = new Redis(url);
  }

  /** Bytes of its data and tables, without the buffers of connections and the scripts that it has learnt. */
  async usedBytes(): Promise<number> {
    const info = await this.client.info('memory');
    const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    return read('used_memory') - read('mem_clients_normal') - read('used_memory_scripts_eval');
  }

  /** What `fill` adds, for each of `count`. The tables of keys double as they grow, so it counts with them as they are. */
  async bytesEach(count: number, fill: () => Promise<void>): Promise<number> {
    const before = await this.usedBytes();
    await fill();
    return ((await this.usedBytes()) - before) / count;
  }

  /** Bytes of all keys whose names have this in them, with their places in the tables of keys and of times to live. */
  async bytesOf(part: string): Promise<number> {
    const names = await this.client.keys(`*${part}*`);
    const bytes = await Promise.all(names.map((name) => this.client.memory('USAGE', name, 'SAMPLES', 0)));
    return bytes.reduce<number>((sum, each) => sum + (each ?? 0) + tablesBytes, 0);
  }

  close(): void {
    this.client.disconnect();
  }
}

/** Two slots of the tables, and the entry of the time to live. */
const tablesBytes = 56;
