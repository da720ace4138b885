import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from './find-binaries.js';
import { freePort } from './free-port.js';
import { startKeeper } from './keeper.js';
import type { RealServer } from './real-server.js';
import { ServerProcess } from './server-process.js';

export interface RedisOptions {
  /** Keeps every write over `kill()` and `restart()`. Default: a restarted server is empty. */
  readonly persist?: boolean;
  /** A node of a cluster, to which slots have to be given yet. */
  readonly cluster?: boolean;
  /** Makes it a sentinel, with these lines of configuration for its master. */
  readonly sentinelOf?: (password: string) => readonly string[];
  /** Also for the primary of a replica. Default: a random one. */
  readonly password?: string;
  /** More lines of its configuration. */
  readonly settings?: readonly string[];
  /** Also speaks TLS, on a separate port, and only TLS with its primary, cluster nodes or sentinels. */
  readonly tls?: TlsFiles;
}

/** PEM texts. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface RedisServer extends RealServer {
  /** Its TLS port, if any. */
  readonly tlsPort?: number;
  /** Freezes the server: connections stay open without answers. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/** A Redis of the caller's own on 127.0.0.1, with a password and a temporary folder. */
export async function launchRedis(options: RedisOptions = {}): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchOnFreePort(options);
    } catch (error) {
      // Many processes choose ports at a time, and another may have taken this one since.
      if (attempt === 5 || !String(error).includes('Address already in use')) throw error;
    }
  }
}

async function launchOnFreePort(options: RedisOptions): Promise<RedisServer> {
  const file = findRedisServer();
  if (file === undefined) throw new Error('no redis-server or valkey-server on this machine');
  const port = await freePort();
  const { password = randomBytes(12).toString('hex') } = options;
  const folder = await mkdtemp(join(tmpdir(), 'mlango-test-redis-'));
  const keeper = startKeeper(folder, 'KILL');
  // The default is a port of the system's ephemeral range.
  const cluster = ['cluster-enabled yes', `cluster-port ${await freePort()}`];
  const tlsPort = options.tls === undefined ? undefined : await freePort();
  const tls =
    options.tls === undefined
      ? []
      : [`tls-port ${tlsPort}`, 'tls-replication yes', ...(await tlsLines(folder, options.tls))];
  const settings = [
    ...tls,
    ...(tls.length > 0 && options.cluster === true ? ['tls-cluster yes'] : []),
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${folder}`,
    `requirepass ${password}`,
    ...(options.sentinelOf?.(password) ?? [
      `masterauth ${password}`,
      ...(options.cluster === true ? cluster : ['databases 1024']),
      'save ""',
      ...(options.persist === true ? ['appendonly yes', 'appendfsync always'] : []),
    ]),
    ...(options.settings ?? []),
  ];
  const lines = `${settings.join('\n')}\n`;
  // A sentinel writes its state to its configuration file.
  const config = join(folder, 'sentinel.conf');
  if (options.sentinelOf !== undefined) await writeFile(config, lines, { mode: 0o600 });
  const server = new ServerProcess(
    {
      name: 'Redis',
      file,
      args: options.sentinelOf === undefined ? ['-'] : [config, '--sentinel'],
      folder,
      input: lines,
      isReady: () => answersPing(port, password),
    },
    keeper,
  );
  await server.launch();
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    stop: () => server.end('SIGTERM'),
    kill: () => server.end('SIGKILL'),
    restart: async () => {
      await server.end('SIGTERM');
      await server.start();
    },
    ...(tlsPort === undefined ? {} : { tlsPort }),
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    remove: () => server.remove(),
  };
}

async function tlsLines(folder: string, files: TlsFiles): Promise<string[]> {
  const place = (name: string) => join(folder, `${name}.pem`);
  for (const name of ['cert', 'key', 'ca'] as const) await writeFile(place(name), files[name], { mode: 0o600 });
  const named = [`tls-cert-file ${place('cert')}`, `tls-key-file ${place('key')}`, `tls-ca-cert-file ${place('ca')}`];
  return [...named, 'tls-auth-clients no'];
}

function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1');
      if (reply.includes('+PONG')) settle(true);
      else if (reply.includes('-')) settle(false);
    });
  });
}
