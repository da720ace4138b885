import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Child, freePort, Restartable, startServer } from './process.js';

export type StoreUrls = Readonly<Record<'REDIS_URL' | 'DATABASE_URL', string>>;

/** A Redis and a Postgres of this run. */
export interface Stores extends StoreUrls {
  stop(): Promise<void>;
}

/** Starts both, empty. Redis stores nothing on disk. @throws {Error} if one is not installed */
export async function startStores(): Promise<Stores> {
  const [redis, postgres] = await Promise.all([Store.redis(), Store.postgres()]);
  return {
    REDIS_URL: redis.url,
    DATABASE_URL: postgres.url,
    stop: async () => {
      await Promise.all([redis.close(), postgres.close()]);
    },
  };
}

/** A Redis or Postgres of this run with its data in a separate folder. */
export class Store extends Restartable {
  readonly #folder: string;
  readonly #stopSignal: NodeJS.Signals;

  private constructor(url: string, folder: string, stopSignal: NodeJS.Signals, run: () => Promise<Child | undefined>) {
    super(new URL(url).protocol, url, async () => {
      const server = await run();
      if (server === undefined) throw new Error('Redis (redis-server) or Postgres is not installed');
      return server;
    });
    this.#folder = folder;
    this.#stopSignal = stopSignal;
  }

  static async redis(): Promise<Store> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
    const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'];
    return new Store(`redis://127.0.0.1:${port}`, folder, 'SIGTERM', () => startRedis(args, port)).#started();
  }

  static async postgres(): Promise<Store> {
    const binaries = postgresBinaries();
    const identity = unprivilegedIdentity();
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
    if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
    const data = join(folder, 'data');
    const cluster = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust', '--no-instructions'];
    execFileSync(join(binaries, 'initdb'), cluster, { cwd: folder, stdio: 'ignore', ...identity });
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    const run = () =>
      startServer(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...settings], { port, ...identity });
    return new Store(`postgres://postgres@127.0.0.1:${port}/postgres`, folder, 'SIGINT', run).#started();
  }

  async close(): Promise<void> {
    await this.stop(this.#stopSignal);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #started(): Promise<Store> {
    await this.start();
    return this;
  }
}

/** Starts Redis, or Valkey where only that is installed. @returns undefined if neither is */
export async function startRedis(args: readonly string[], port: number): Promise<Child | undefined> {
  return (await startServer('redis-server', args, { port })) ?? (await startServer('valkey-server', args, { port }));
}

/** The folder of `initdb` and `postgres`: in PATH, or the newest of Debian's. */
function postgresBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((each) => join(debian, each, 'bin')),
  ];
  const found = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
  if (found === undefined) throw new Error('Postgres is not installed');
  return found;
}

/** Postgres refuses to run as root. */
function unprivilegedIdentity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { stdio: 'pipe' }).toString());
  return { uid: id('-u'), gid: id('-g') };
}
