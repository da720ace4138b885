import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, type OwnServer, runServer } from './own-server.js';

const debianFolder = '/usr/lib/postgresql';

/** A new cluster on disk, and how to run a server on it. */
export interface PostgresCluster {
  readonly folder: string;
  readonly port: number;
  readonly url: string;
  /** Whom it belongs to, where that is not who runs this. */
  readonly identity: { readonly uid: number; readonly gid: number } | undefined;
  /** @param settings further ones, as `name=value` */
  run(settings?: readonly string[]): ReturnType<typeof runServer>;
  remove(): void;
}

/** Undefined where there is no Postgres on this machine. */
export async function makePostgresCluster(): Promise<PostgresCluster | undefined> {
  const binaries = findBinaries();
  if (binaries === undefined) return undefined;
  const identity = unprivilegedIdentity();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, 'data');
  const cluster = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust', '--no-instructions'];
  execFileSync(join(binaries, 'initdb'), cluster, { cwd: folder, stdio: 'ignore', ...identity });
  const usual = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  return {
    folder,
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    identity,
    run: (settings = []) => {
      const args = [...usual, ...settings].flatMap((setting) => ['-c', setting]);
      return runServer(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...args], { port, ...identity });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An empty Postgres with its usual settings. Undefined where there is none on this machine. */
export async function startOwnPostgres(): Promise<OwnServer | undefined> {
  const cluster = await makePostgresCluster();
  if (cluster === undefined) return undefined;
  const server = await cluster.run();
  if (server === undefined) throw new Error('Postgres does not start');
  return {
    pid: server.pid,
    url: cluster.url,
    stop: async () => {
      await server.stop('SIGINT');
      cluster.remove();
    },
  };
}

/** A folder with `initdb` and `postgres`: in PATH, or one of Debian's. */
function findBinaries(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debianFolder, version, 'bin')),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** Postgres refuses to run as root. */
function unprivilegedIdentity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (what: string) => Number(execFileSync('id', [what, 'postgres'], { stdio: 'pipe' }).toString());
  return { uid: ask('-u'), gid: ask('-g') };
}
