import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { KEEPER_SCRIPT, startKeeper } from './keeper.js';
import { canStartPostgres, canStartRedis, type RealServer, startPostgres, startRedis } from './servers.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

function removedLater<T extends RealServer>(server: T): T {
  cleanUps.push(() => server.remove());
  return server;
}

async function redisOnce<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0, connectTimeout: 2_000 });
  client.on('error', () => {});
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

async function selectOne(url: string): Promise<unknown> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    return await sql`select 1 as one`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

describe.skipIf(!canStartRedis)('a Redis of the test’s own', () => {
  it('is back on the same address after a crash, with its data if configured', async () => {
    const server = removedLater(await startRedis({ persist: true }));
    await redisOnce(server.url, (client) => client.set('kept', 'yes'));
    await server.kill();
    await expect(redisOnce(server.url, (client) => client.ping())).rejects.toThrow();
    await server.restart();
    expect(await redisOnce(server.url, (client) => client.get('kept'))).toBe('yes');
  });

  it('refuses clients without its password', async () => {
    const server = removedLater(await startRedis());
    const open = new URL(server.url);
    open.password = '';
    await expect(redisOnce(open.href, (client) => client.ping())).rejects.toThrow(/NOAUTH/);
  });
});

describe.skipIf(!canStartPostgres)('a Postgres of the test’s own', () => {
  it('is back on the same address after a crash, with its data', async () => {
    const server = removedLater(await startPostgres());
    const sql = postgres(server.url, { max: 1 });
    await sql`create table kept (id int)`;
    await sql.end();
    await server.kill();
    await expect(selectOne(server.url)).rejects.toThrow();
    await server.restart();
    const again = postgres(server.url, { max: 1 });
    expect(await again`select count(*)::int as count from kept`).toEqual([{ count: 0 }]);
    await again.end();
  });
});

describe('the keeper', () => {
  it('ends the process and removes the folder once its parent closes the pipe', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mlango-test-keeper-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const kept = spawn('sleep', ['600'], { stdio: 'ignore' });
    const ended = once(kept, 'exit');
    const keeper = startKeeper(folder, 'KILL');
    keeper.watch(kept.pid);
    keeper.release();
    expect(await ended).toEqual([null, 'SIGKILL']);
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 10_000 });
  });

  it('does so when its parent is killed with SIGKILL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mlango-test-keeper-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const kept = spawn('sleep', ['600'], { stdio: 'ignore' });
    const keptEnded = once(kept, 'exit');
    const program = `
      const [script, folder, pid] = process.argv.slice(1);
      const { spawn } = require('node:child_process');
      const shell = spawn('/bin/sh', ['-c', script, 'keeper', folder, 'KILL'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
      shell.stdin.write(pid + '\\n', () => console.log('watching'));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', program, KEEPER_SCRIPT, folder, String(kept.pid)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(parent.stdout, 'data');
    expect(existsSync(folder)).toBe(true);
    parent.kill('SIGKILL');
    expect(await keptEnded).toEqual([null, 'SIGKILL']);
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 10_000 });
  });
});
