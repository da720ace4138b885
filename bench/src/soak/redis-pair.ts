import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Child, freePort, Restartable } from '../process.js';
import { startRedis } from '../stores.js';

const group = 'soak';
const silentMs = 2000;

/**
 * A primary Redis, its replica, and a sentinel that promotes the replica after 2 s of silence. Each write is on the primary's disk
 * before it is acknowledged.
 */
export class RedisPair {
  /** For `REDIS_URL`. */
  readonly url: string;
  readonly #folder: string;
  readonly #servers: readonly Restartable[];
  readonly #sentinel: Child;
  readonly #sentinelPort: number;

  private constructor(folder: string, servers: readonly Restartable[], sentinel: { child: Child; port: number }) {
    this.url = `redis+sentinel://127.0.0.1:${sentinel.port}/${group}`;
    this.#folder = folder;
    this.#servers = servers;
    this.#sentinel = sentinel.child;
    this.#sentinelPort = sentinel.port;
  }

  static async start(): Promise<RedisPair> {
    const folder = mkdtempSync(join(tmpdir(), 'soak-redis-'));
    const ports = [await freePort(), await freePort()] as const;
    const durable = ['appendonly yes', 'appendfsync always', 'save ""', 'repl-diskless-sync-delay 0'];
    const servers = ports.map((port, index) => {
      // Redis writes its role into the file, so a restarted server has the role it had.
      const file = configFile(folder, port, [
        ...durable,
        `appenddirname data-${port}`,
        `dbfilename ${port}.rdb`,
        ...(index === 0 ? [] : [`replicaof 127.0.0.1 ${ports[0]}`]),
      ]);
      return new Restartable(`Redis ${index + 1}`, `redis://127.0.0.1:${port}`, () => server([file], port));
    });
    for (const each of servers) await each.start();
    const port = await freePort();
    const file = configFile(folder, port, [
      `sentinel monitor ${group} 127.0.0.1 ${ports[0]} 1`,
      `sentinel down-after-milliseconds ${group} ${silentMs}`,
      `sentinel failover-timeout ${group} 5000`,
    ]);
    const pair = new RedisPair(folder, servers, { child: await server([file, '--sentinel'], port), port });
    await pair.#untilReplicated();
    return pair;
  }

  /** The server that the sentinel reports as primary. */
  async primary(): Promise<Restartable> {
    const [, port] = (await command(this.#sentinelPort, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', group)) as string[];
    const primary = this.#servers.find(({ url }) => url.endsWith(`:${port}`));
    if (primary === undefined) throw new Error(`No server of this pair has port ${port}`);
    return primary;
  }

  /** Exchanges the roles as an operator does. */
  async failOver(): Promise<void> {
    await command(this.#sentinelPort, 'SENTINEL', 'FAILOVER', group).catch(() => undefined);
  }

  /** Sets the memory limit of both: below its use Redis refuses writes. */
  async setMemoryLimit(bytes: string): Promise<void> {
    for (const { url } of this.#servers) {
      const limit = ['maxmemory-policy', 'noeviction', 'maxmemory', bytes];
      await command(portOf(url), 'CONFIG', 'SET', ...limit).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#sentinel.stop(), ...this.#servers.map((each) => each.stop())]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #untilReplicated(): Promise<void> {
    const port = portOf((await this.primary()).url);
    while (!/state=online/.test(String(await command(port, 'INFO', 'replication')))) await sleep(100);
  }
}

const portOf = (url: string) => Number(new URL(url).port);

function configFile(folder: string, port: number, lines: readonly string[]): string {
  const file = join(folder, `${port}.conf`);
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
  return file;
}

async function server(args: readonly string[], port: number): Promise<Child> {
  const started = await startRedis(args, port);
  if (started === undefined) throw new Error('Redis is not installed');
  return started;
}

async function command(port: number, ...args: [string, ...string[]]): Promise<unknown> {
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 0, retryStrategy: null, commandTimeout: 2000 });
  client.on('error', () => undefined);
  try {
    return await client.call(...args);
  } finally {
    client.disconnect();
  }
}
