import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createNotes, migrationsFolder } from '../migrations/migrations.fixture.js';

const fixture = fileURLToPath(new URL('closed-pglite.fixture.ts', import.meta.url));

it('a process ends by itself after its embedded database is closed', { timeout: 60_000 }, async () => {
  const args = ['--conditions=@mlango/source', '--import', 'tsx', fixture, migrationsFolder([createNotes])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 55_000 });
  expect(stdout).toBe('closed\n');
});
