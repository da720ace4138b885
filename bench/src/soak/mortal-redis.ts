import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, runServer } from '../own-server.js';

/** A Redis that is killed, frozen and filled up, and keeps what it took: its log is written before it answers. */
export class MortalRedis {
  readonly port: number;
  readonly #folder: string;
  #server: Awaited<ReturnType<typeof runServer>>;
  /** Of the soak's own, by which it looks and fills. */
  #client: Redis | undefined;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
  }

  static async open(): Promise<MortalRedis> {
    const redis = new MortalRedis(await freePort(), mkdtempSync(join(tmpdir(), 'soak-redis-')));
    await redis.start();
    return redis;
  }

  get client(): Redis {
    if (this.#client === undefined) throw new Error('Redis is not running');
    return this.#client;
  }

  async start(): Promise<void> {
    const { port } = this;
    const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', this.#folder, '--save', ''];
    this.#server = await runServer('redis-server', [...settings, '--appendonly', 'yes'], { port });
    if (this.#server === undefined) throw new Error('this needs a Redis on the machine');
    this.#client = new Redis(port, '127.0.0.1', { retryStrategy: () => 100 });
    this.#client.on('error', () => undefined);
    // It accepts connections before it has read its log.
    while ((await this.client.ping().catch(() => '')) !== 'PONG');
  }

  async kill(): Promise<void> {
    this.#client?.disconnect();
    await this.#server?.stop('SIGKILL');
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** From now on it refuses whatever needs memory. */
  async fill(): Promise<void> {
    await this.client.config('SET', 'maxmemory-policy', 'noeviction');
    await this.client.config('SET', 'maxmemory', '1mb');
  }

  async empty(): Promise<void> {
    await this.client.config('SET', 'maxmemory', '0');
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#server !== undefined) process.kill(this.#server.pid, name);
  }
}
