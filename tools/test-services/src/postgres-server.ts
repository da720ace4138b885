import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { findPostgres } from './find-binaries.js';
import { freePort } from './free-port.js';
import { startKeeper } from './keeper.js';
import { killWithChildren } from './kill-with-children.js';
import type { RealServer } from './real-server.js';
import { ServerProcess } from './server-process.js';
import { type Identity, unprivilegedIdentity } from './unprivileged-identity.js';

const run = promisify(execFile);

// No fsync: a test's server survives the end of its process, not of its machine.
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  'jit=off',
  'shared_buffers=32MB',
];

export interface PostgresServerOptions {
  /** Default 200; three of them are reserved for superusers, as by default. */
  readonly maxConnections?: number;
  /** The URL of the primary if this server is a hot standby, with its data and password. */
  readonly standbyOf?: string;
  /** Also speaks TLS. PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface PostgresServer extends RealServer {
  /** Promotes a standby; resolves when it accepts writes. */
  readonly promote: () => Promise<void>;
}

/** A Postgres of the caller's own on 127.0.0.1, with a password and a temporary folder. */
export async function launchPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error('no postgres and initdb on this machine');
  const identity = unprivilegedIdentity('Postgres');
  const port = await freePort();
  const password =
    options.standbyOf === undefined ? randomBytes(12).toString('hex') : new URL(options.standbyOf).password;
  const folder = await mkdtemp(join(tmpdir(), 'mlango-test-postgres-'));
  const keeper = startKeeper(folder, 'QUIT');
  const data = join(folder, 'data');
  const keyFiles = { ssl_cert_file: join(folder, 'cert.pem'), ssl_key_file: join(folder, 'key.pem') };
  const tls = options.tls && ['ssl=on', ...Object.entries(keyFiles).map((setting) => setting.join('='))];
  const settings = [...SETTINGS, `max_connections=${options.maxConnections ?? 200}`, ...(tls ?? [])];
  const server = new ServerProcess(
    {
      name: 'Postgres',
      file: binaries.postgres,
      args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      folder,
      isReady: (pid) => saysReady(join(data, 'postmaster.pid'), pid),
      lastSignal: 'SIGQUIT',
      ...(identity === undefined ? {} : { identity }),
    },
    keeper,
  );
  await server.launch(async () => {
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    if (options.tls !== undefined) {
      await writeOwn(keyFiles.ssl_cert_file, options.tls.cert, identity);
      await writeOwn(keyFiles.ssl_key_file, options.tls.key, identity);
    }
    if (options.standbyOf === undefined) await createCluster(binaries.initdb, folder, data, password, identity);
    else await copyCluster(binaries.basebackup, folder, data, options.standbyOf, identity);
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    stop: () => server.end('SIGINT'),
    kill: () => killWithChildren(server),
    restart: async () => {
      await server.end('SIGINT');
      await startPatiently(server);
    },
    promote: () => promote(url),
    remove: () => server.remove(),
  };
}

async function promote(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const [said] = await sql`select pg_promote(true, 30) as done`;
    if (said?.['done'] !== true) throw new Error('a standby was not promoted within 30 s');
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function createCluster(
  initdb: string,
  folder: string,
  data: string,
  password: string,
  identity: Identity | undefined,
): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeOwn(passwordFile, `${password}\n`, identity);
  const args = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  const options = { cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...identity };
  await run(initdb, [...args, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`], options);
  await rm(passwordFile);
}

/** Writes a file readable only by the user that the server runs as. */
async function writeOwn(file: string, text: string, identity: Identity | undefined): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  if (identity !== undefined) await chown(file, identity.uid, identity.gid);
}

/** A copy configured to follow its primary. */
async function copyCluster(
  basebackup: string | undefined,
  folder: string,
  data: string,
  primary: string,
  identity: Identity | undefined,
): Promise<void> {
  if (basebackup === undefined) throw new Error('no pg_basebackup beside the postgres of this machine');
  const args = ['-d', primary, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
  await run(basebackup, args, { cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...identity });
}

/** After a crash the old backends hold the folder for a moment, and the new server refuses it until they have ended. */
async function startPatiently(server: ServerProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await server.start();
    } catch (error) {
      if (attempt === 40 || !String(error).includes('still in use')) throw error;
      await sleep(100);
    }
  }
}

/** Line 1 of `postmaster.pid` is the process, line 8 its state. */
async function saysReady(pidFile: string, pid: number): Promise<boolean> {
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}
