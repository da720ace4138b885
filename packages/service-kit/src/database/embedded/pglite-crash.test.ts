import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createNotes, migrationsFolder, schema } from '../migrations/migrations.fixture.js';
import { readClusterImage, unpackCluster } from './embedded-files.js';
import { openPglite } from './open-pglite.js';

// Plain JavaScript, so that the child needs no build. It exits when its reader does: a failed write to the console is not an
// error.
const WRITER = `
  import { PGlite } from '@electric-sql/pglite';
  const db = new PGlite(process.argv[1]);
  await db.exec('create table written (id int primary key)');
  for (let id = 1; ; id += 1) {
    await db.query('insert into written values ($1)', [id]);
    process.stdout.write(id + '\\n');
  }`;

it('every row acknowledged by an embedded database survives SIGKILL', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mlango-test-crash-'));
  const image = readClusterImage();
  if (image === undefined) throw new Error('build service-kit first: its last step makes the image');
  unpackCluster(image, join(dataDir, 'postgres'));
  const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, join(dataDir, 'postgres')], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writer, 'exit');
  onTestFinished(async () => {
    writer.kill('SIGKILL');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  let acknowledged = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line);
    if (acknowledged === 50) writer.kill('SIGKILL');
  }
  await ended;
  const folder = migrationsFolder([createNotes]);
  const { db, close } = await openPglite({
    dataDir,
    schema,
    migrationsFolder: folder,
    logger: pino({ level: 'silent' }),
  });
  const result: unknown = await db.execute(sql`select count(*)::int as count, max(id) as last from written`);
  const { rows } = result as { rows: { count: number; last: number }[] };
  expect(rows[0]?.last).toBeGreaterThanOrEqual(acknowledged);
  expect(rows[0]?.count).toBe(rows[0]?.last);
  await close();
}, 60_000);
