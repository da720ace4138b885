import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPgBouncer } from './find-binaries.js';
import { freePort } from './free-port.js';
import { startKeeper } from './keeper.js';
import type { RealServer } from './real-server.js';
import { ServerProcess } from './server-process.js';
import { type Identity, unprivilegedIdentity } from './unprivileged-identity.js';

export interface PgBouncerOptions {
  /** The Postgres behind it, with credentials: it accepts the same user with the same password, to any database. */
  readonly upstream: string;
  /** Further accepted logins of that Postgres. */
  readonly logins?: readonly { readonly name: string; readonly password: string }[];
  /** Connections to Postgres, for each user and database. Default 20. */
  readonly poolSize?: number;
  /** Connections of clients, all together. Default 100. */
  readonly maxClients?: number;
  /** Further lines of its section, as its own manual has them. */
  readonly settings?: readonly string[];
}

/** A PgBouncer in transaction mode on 127.0.0.1. Its `url` is that of `upstream` but for the port. */
export async function launchPgBouncer(options: PgBouncerOptions): Promise<RealServer> {
  const file = findPgBouncer();
  if (file === undefined) throw new Error('no pgbouncer on this machine');
  const identity = unprivilegedIdentity('PgBouncer');
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'mlango-test-pgbouncer-'));
  const keeper = startKeeper(folder, 'KILL');
  const config = join(folder, 'pgbouncer.ini');
  const server = new ServerProcess(
    {
      name: 'PgBouncer',
      file,
      args: [config],
      folder,
      isReady: () => answers(port),
      ...(identity === undefined ? {} : { identity }),
    },
    keeper,
  );
  await server.launch(() => configure(folder, config, port, options, identity));
  const url = new URL(options.upstream);
  url.port = String(port);
  return {
    url: url.href,
    stop: () => server.end('SIGTERM'),
    kill: () => server.end('SIGKILL'),
    restart: async () => {
      await server.end('SIGTERM');
      await server.start();
    },
    remove: () => server.remove(),
  };
}

async function configure(
  folder: string,
  config: string,
  port: number,
  options: PgBouncerOptions,
  identity: Identity | undefined,
): Promise<void> {
  const { hostname, port: upstreamPort, username, password } = new URL(options.upstream);
  const users = join(folder, 'users.txt');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${upstreamPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${options.poolSize ?? 20}`,
    `max_client_conn = ${options.maxClients ?? 100}`,
    ...(options.settings ?? []),
  ];
  const logins = [{ name: username, password: decodeURIComponent(password) }, ...(options.logins ?? [])];
  const known = logins.map((login) => `"${login.name}" "${login.password}"\n`).join('');
  await writeFile(users, known, { mode: 0o600 });
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  if (identity === undefined) return;
  for (const path of [folder, users, config]) await chown(path, identity.uid, identity.gid);
}

/** Requests TLS support, the one request that needs no user name: any answer means that it is up. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(Buffer.from('0000000804d2162f', 'hex')));
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
    socket.on('data', () => settle(true));
  });
}
