import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { makePostgresCluster, type PostgresCluster } from '../own-postgres.js';
import type { runServer } from '../own-server.js';
import { childrenOf } from '../store-usage.js';

/** Connections that it has for everybody. Twice the pools of two gateways and two oracles are 42. */
const slots = 70;
const diskBytes = 512 * 1024 * 1024;
const databases = ['ussd', 'oracle'] as const;

/** A Postgres that is killed and frozen, whose slots run out and whose disk fills up. */
export class MortalPostgres {
  /** Whether its tables lie on a disk of their own, which can be filled. */
  readonly hasSmallDisk: boolean;
  readonly #cluster: PostgresCluster;
  readonly #disk: string;
  readonly #admins = new Map<string, postgres.Sql>();
  #hogs: postgres.Sql[] = [];
  #server: Awaited<ReturnType<typeof runServer>>;

  private constructor(cluster: PostgresCluster) {
    this.#cluster = cluster;
    this.#disk = join(cluster.folder, 'disk');
    this.hasSmallDisk = isMounted(this.#disk, cluster);
  }

  static async open(): Promise<MortalPostgres> {
    const cluster = await makePostgresCluster();
    if (cluster === undefined) throw new Error('this needs a Postgres on the machine');
    const server = new MortalPostgres(cluster);
    await server.start();
    const admin = server.admin();
    await admin.unsafe('create role service login');
    if (server.hasSmallDisk) await admin.unsafe(`create tablespace small location '${server.#disk}/tables'`);
    const place = server.hasSmallDisk ? 'tablespace small' : '';
    for (const name of databases) await admin.unsafe(`create database ${name} owner service ${place}`);
    return server;
  }

  get port(): number {
    return this.#cluster.port;
  }

  /** One connection of a superuser's own, who gets in when nobody else does. */
  admin(database = 'postgres'): postgres.Sql {
    const known = this.#admins.get(database);
    if (known !== undefined) return known;
    const opened = postgres(this.#cluster.url.replace(/postgres$/, database), { max: 1, onnotice: () => undefined });
    this.#admins.set(database, opened);
    return opened;
  }

  async start(): Promise<void> {
    this.#server = await this.#cluster.run([`max_connections=${slots}`]);
    while (!(await this.#answers()));
  }

  /** All its processes end at once and nothing is written down: the next start recovers from its log. */
  async kill(): Promise<void> {
    await this.#server?.stop('SIGQUIT');
  }

  pause(): void {
    for (const pid of this.#pids()) signal(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#pids()) signal(pid, 'SIGCONT');
  }

  /** Not a byte more fits on the disk of the tables. */
  fillDisk(): void {
    const file = openSync(join(this.#disk, 'junk'), 'a');
    const writeUntilFull = (bytes: number) => {
      const junk = Buffer.alloc(bytes);
      try {
        while (writeSync(file, junk) === bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    };
    writeUntilFull(1_048_576);
    writeUntilFull(4096);
    closeSync(file);
  }

  emptyDisk(): void {
    rmSync(join(this.#disk, 'junk'), { force: true });
  }

  /** Ends the connections of the services and takes all that anybody but a superuser can have. */
  async takeSlots(): Promise<void> {
    const url = this.#cluster.url.replace('postgres@', 'service@');
    const end = () =>
      this.admin().unsafe("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'");
    await end();
    const open = Array.from({ length: slots }, () =>
      postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined }),
    );
    this.#hogs = open;
    await Promise.all(open.map((hog) => hog`select 1`.catch(() => undefined)));
  }

  async giveSlots(): Promise<void> {
    await Promise.all(this.#hogs.splice(0).map((hog) => hog.end({ timeout: 1 })));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#admins.values()].map((admin) => admin.end({ timeout: 1 })));
    await this.#server?.stop('SIGQUIT');
    if (this.hasSmallDisk) execFileSync('umount', [this.#disk]);
    this.#cluster.remove();
  }

  async #answers(): Promise<boolean> {
    return this.admin()`select 1`.then(
      () => true,
      () => false,
    );
  }

  #pids(): number[] {
    const pid = this.#server?.pid;
    return pid === undefined ? [] : [pid, ...childrenOf(pid)];
  }
}

/** Only root can, and not everywhere. */
function isMounted(disk: string, { identity }: PostgresCluster): boolean {
  if (identity === undefined) return false;
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return false;
  }
  const tables = join(disk, 'tables');
  mkdirSync(tables, { mode: 0o700 });
  for (const folder of [disk, tables]) chownSync(folder, identity.uid, identity.gid);
  return true;
}

/** One that has just ended needs none. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
