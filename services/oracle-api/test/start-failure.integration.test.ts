import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandOf, failureOf, runCommand } from './service-process.fixture.js';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'mlango-start-failure-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Whether this user may mount a file system for one process. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a failed start', () => {
  it.skipIf(!canMount()).each(['4k', '20m', '34m'])(
    'reports that a disk of %s is full',
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
