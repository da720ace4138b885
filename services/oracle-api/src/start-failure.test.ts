import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandOf, runCommand, runScript } from './service-process.fixture.js';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'mlango-start-failure-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Whether this user may mount a file system that only one process sees. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function failureOf(work: Promise<unknown>): Promise<{ code: number; stderr: string; stdout: string }> {
  return work.then(
    () => Promise.reject(new Error('it started')),
    (error: unknown) => error as { code: number; stderr: string; stdout: string },
  );
}

describe('a start that fails', () => {
  it('names the variable and the folder that cannot be used', async () => {
    const file = join(place, 'a-file');
    writeFileSync(file, '');
    const { code, stderr, stdout } = await failureOf(runScript('main', { DATA_DIR: join(file, 'data') }));
    expect(code).toBe(1);
    const message = `DATA_DIR (${join(file, 'data')}) cannot be used: a part of the path is no folder (ENOTDIR)`;
    expect(stderr).toContain(`The service cannot start: ${message}`);
    expect(JSON.parse(stdout)).toMatchObject({ err: { message, code: 'ENOTDIR', cause: { syscall: 'open' } } });
  });

  it('names a command that is none', async () => {
    const { code, stderr } = await failureOf(runCommand([...commandOf('main'), 'migarte'], {}));
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no command "migarte"')]);
  });

  it.skipIf(!existsSync('/proc/self'))('does not try for ever to make a folder', async () => {
    const { code, stderr } = await failureOf(runScript('main', { DATA_DIR: '/proc/none/data' }));
    expect(code).toBe(1);
    expect(stderr).toContain('The service cannot start: DATA_DIR (/proc/none/data) cannot be used: ');
  });

  it.skipIf(!canMount()).each(['4k', '20m', '34m'])(
    'says so when a disk of %s is full',
    async (size) => {
      const dataDir = join(place, `disk-${size}`);
      mkdirSync(dataDir);
      const mounted = `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`;
      const command = ['unshare', '--mount', 'sh', '-c', mounted, dataDir, ...commandOf('main')] as const;
      const { code, stderr } = await failureOf(runCommand([...command], { DATA_DIR: dataDir, PORT: '0' }));
      expect(code).toBe(1);
      const line = `The service cannot start: DATA_DIR (${dataDir}) cannot be used: no space is left on the disk (ENOSPC)`;
      expect(stderr).toContain(line);
    },
    60_000,
  );
});
