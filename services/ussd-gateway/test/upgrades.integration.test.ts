import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logsIn, signUp } from './support/customers.js';
import { endServices, startService } from './support/service-process.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const releasedData = new URL('released-data/', import.meta.url);
const page = readFileSync(join(root, 'docs/operations/upgrades.md'), 'utf8');
const key = 'c4'.repeat(32);

/** Runs the commands of the page below a heading, literally, in a folder. */
async function follow(heading: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  const blocks = [...section.matchAll(/^ *```bash\n([\s\S]*?)```/gm)].map(([, code = '']) => code);
  expect(blocks).not.toEqual([]);
  for (const code of blocks) await run('bash', ['-ec', code], { cwd, env: { PATH: process.env['PATH'], ...env } });
}

describe.skipIf(postgresUrl === undefined || redisUrl === undefined)(
  'the data of customers',
  { timeout: 180_000 },
  () => {
    let databases: Awaited<ReturnType<typeof freshDatabase>>[];
    let redis: Awaited<ReturnType<typeof freshRedis>>;
    let folder: string;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'mlango-upgrades-'));
      [redis, ...databases] = await Promise.all([freshRedis(), freshDatabase(), freshDatabase()]);
    });
    afterEach(async () => {
      await endServices();
      await Promise.all([redis, ...databases].map(({ drop }) => drop()));
      rmSync(folder, { recursive: true });
    });
    const url = (place: 0 | 1) => databases[place]?.url ?? '';
    const start = (place: 0 | 1) =>
      startService({ PIN_ENCRYPTION_KEY: key, DATABASE_URL: url(place), REDIS_URL: redis.url });

    it('is in a backup made while they were served, and complete after a restore', async () => {
      const before = await start(0);
      const amina = await signUp(before, 'Amina');
      await follow('Backup', folder, { DATABASE_URL: url(0) });
      const baraka = await signUp(before, 'Baraka');
      await before.end('SIGTERM');
      await follow('Restore', folder, { RESTORED_URL: url(1) });
      const after = await start(1);
      await logsIn(after, amina);
      await expect(logsIn(after, baraka)).rejects.toThrow();
      await logsIn(after, await signUp(after, 'Chausiku'));
    });

    it.each(readdirSync(releasedData))('of a published release is served after an upgrade: %s', async (file) => {
      const text = readFileSync(new URL(file, releasedData), 'utf8');
      await databases[0]?.read(text);
      const [, customer = ''] = /^-- customer (\S+)$/m.exec(text) ?? [];
      await follow('Upgrade', root, { PIN_ENCRYPTION_KEY: key, DATABASE_URL: url(0) });
      const service = await start(0);
      await logsIn(service, customer);
      await logsIn(service, await signUp(service, 'Baraka'));
    });

    it('is served by this release on tables extended by a later one, and after a rollback to it', async () => {
      const [first, database] = [await start(0), databases[0]];
      const amina = await signUp(first, 'Amina');
      // Changes that the check allows in a later release.
      await database?.read(`do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I add column later_one text, add column later_two integer not null default 7', name);
      end loop;
      create table later (id text primary key);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9000000000000);
    end $$`);
      await logsIn(first, amina);
      const baraka = await signUp(first, 'Baraka');
      await first.end('SIGTERM');
      await follow('Upgrade', root, { PIN_ENCRYPTION_KEY: key, DATABASE_URL: url(0) });
      const restarted = await start(0);
      for (const customer of [amina, baraka, await signUp(restarted, 'Chausiku')]) await logsIn(restarted, customer);
    });

    it('is moved from the embedded database to a server', async () => {
      const place = { PIN_ENCRYPTION_KEY: key, DATA_DIR: folder };
      const embedded = await startService(place);
      const amina = await signUp(embedded, 'Amina');
      await embedded.end('SIGTERM');
      const moving = { ...place, RESTORED_URL: url(0) };
      await follow('From the embedded database to a server', root, moving);
      const service = await start(0);
      await logsIn(service, amina);
      const restarted = follow('From the embedded database to a server', root, moving);
      await expect(restarted).rejects.toThrow(/could not be moved: the table \w+ has rows already/);
    });

    // Once per release: docs/development/changes.md.
    if (process.env['RECORD_RELEASED_DATA'] !== undefined)
      it('is recorded for later releases', async () => {
        const service = await start(0);
        const amina = await signUp(service, 'Amina');
        await logsIn(service, amina);
        await service.end('SIGTERM');
        const { stdout } = await run('pg_dump', ['--inserts', '--no-owner', '--no-privileges', url(0)]);
        const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
        // Commands of psql, which does not load the dump.
        const dump = stdout.replace(/^\\.*\n/gm, '').replace(/^--.*\n|^\n/gm, '');
        writeFileSync(new URL(`${version}.sql`, releasedData), `-- customer ${amina}\n${dump}`);
      });
  },
);
