import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createLogger } from '../packages/service-kit/src/logging/index.js';
import { serviceRateLimitStore } from '../packages/service-kit/src/rate-limit/index.js';
import { openRedis, type RedisConnection } from '../packages/service-kit/src/redis/index.js';
import { canStartRedis, freePort } from '../tools/test-services/src/servers.js';

interface ComposeService {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly (string | { readonly source: string; readonly target: string })[];
}

const compose = parse(readFileSync(join(import.meta.dirname, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
};
const logger = createLogger({ service: 'test', level: 'silent' });
// Files belong to the users of containers, which takes root to arrange and is of no use here.
const withoutChown =
  'data:text/javascript,import fs from "node:fs";import { syncBuiltinESMExports } from "node:module";' +
  'fs.chownSync = () => {};syncBuiltinESMExports();';

let folder: string;
const servers: ChildProcess[] = [];
const connections: RedisConnection[] = [];
const ports = new Map<string, number>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redis-users-'));
  for (const name of ['redis', 'secrets']) mkdirSync(join(folder, name));
  copyFileSync(join(import.meta.dirname, 'make-secrets.mjs'), join(folder, 'make-secrets.mjs'));
  copyFileSync(join(import.meta.dirname, 'redis/users.acl'), join(folder, 'redis/users.acl'));
  symlinkSync(join(import.meta.dirname, '../services/oracle-api/node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['--import', withoutChown, join(folder, 'make-secrets.mjs'), join(folder, 'secrets')]);
  if (canStartRedis) for (const name of ['redis', 'ussd-redis']) await start(name);
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  for (const server of servers) {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command of a Redis of the compose file, on the secrets of this test. */
async function start(name: string): Promise<void> {
  const { command, environment, secrets } = compose.services[name] as ComposeService;
  const [mounted, data] = [join(folder, `${name}-secrets`), join(folder, `${name}-data`)];
  for (const path of [mounted, data]) mkdirSync(path);
  for (const secret of secrets) {
    const { source, target } = typeof secret === 'string' ? { source: secret, target: secret } : secret;
    cpSync(join(folder, 'secrets', source), join(mounted, target));
  }
  const port = await freePort();
  ports.set(name, port);
  const script = (command[2] ?? '')
    .replaceAll('$$', '$')
    .replaceAll('/run/secrets', mounted)
    .replace('--dir /data', `--dir ${data} --bind 127.0.0.1 --port ${port}`);
  const server = spawn('sh', ['-c', script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  servers.push(server);
  let log = '';
  for await (const chunk of server.stdout) {
    log += String(chunk);
    if (log.includes('Ready to accept connections')) return void server.stdout.resume();
  }
  throw new Error(`${name} did not start: ${log}`);
}

const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim();

/** Connects by a URL of the secrets, at the port that the server has here. */
async function connect(url: string): Promise<RedisConnection> {
  const moved = new URL(url);
  moved.port = String(ports.get(moved.hostname));
  moved.hostname = '127.0.0.1';
  const connection = await openRedis({ url: moved.href, logger, connectionName: 'test' });
  connections.push(connection);
  return connection;
}

describe.skipIf(!canStartRedis)('the Redis servers of the compose file', () => {
  it.each([
    ['oracle-redis-url', 'oracle-api', 'proto-gateway'],
    ['proto-redis-url', 'proto-gateway', 'oracle-api'],
    ['ussd-redis-url', 'ussd', 'oracle-api'],
  ])('give the user of %s access to the keys of %s and none of %s', async (url, own, other) => {
    const connection = await connect(secret(url));
    const { client } = connection;
    expect((await serviceRateLimitStore(connection, own, logger).hit('caller', 60_000)).count).toBe(1);
    expect(await client.get(`${own}:x`)).toBeNull();
    const refused = { message: expect.stringContaining('NOPERM') };
    await expect(client.get(`${other}:x`)).rejects.toMatchObject(refused);
    await expect(client.set(`${other}:x`, '1')).rejects.toMatchObject(refused);
    await expect(client.publish(`${other}:x`, '1')).rejects.toMatchObject(refused);
    await expect(client.keys('*')).rejects.toMatchObject(refused);
    await expect(client.call('CONFIG', 'GET', 'requirepass')).rejects.toMatchObject(refused);
  });

  it('accept the shipped file as their aclfile', async () => {
    const data = mkdtempSync(join(folder, 'aclfile-'));
    const file = join(data, 'users.acl');
    copyFileSync(join(import.meta.dirname, 'redis/users.acl'), file);
    const port = String(await freePort());
    const program = process.env['TEST_REDIS_SERVER'] ?? 'redis-server';
    const server = spawn(program, ['--port', port, '--dir', data, '--aclfile', file], { stdio: 'pipe' });
    let log = '';
    for await (const chunk of server.stdout) {
      log += String(chunk);
      if (log.includes('Ready to accept connections')) break;
    }
    server.kill();
    expect(log).toContain('Ready to accept connections');
  });

  it('let the gateway neither subscribe to channels of the oracle nor list users', async () => {
    const { client } = await connect(secret('proto-redis-url'));
    await expect(client.call('SUBSCRIBE', 'oracle-api:x')).rejects.toThrow('NOPERM');
    await expect(client.call('ACL', 'LIST')).rejects.toThrow('NOPERM');
  });

  it('refuse connections without a password', async () => {
    for (const name of ports.keys()) {
      const { client } = await connect(`redis://${name}:6379`);
      await expect(client.get('oracle-api:x')).rejects.toThrow();
    }
  });

  it('accept the health check with the password of operators', async () => {
    const { client } = await connect(`redis://:${secret('redis-password')}@redis:6379`);
    expect(await client.ping()).toBe('PONG');
  });
});
