import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandOf, failureOf, runCommand, runScript } from './service-process.fixture.js';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'mlango-start-failure-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('a failed start', () => {
  it('names the variable and the unusable folder', async () => {
    const file = join(place, 'a-file');
    writeFileSync(file, '');
    const { code, stderr, stdout } = await failureOf(runScript('main', { DATA_DIR: join(file, 'data') }));
    expect(code).toBe(1);
    const message = `DATA_DIR (${join(file, 'data')}) cannot be used: a part of the path is no folder (ENOTDIR)`;
    expect(stderr).toContain(`The service cannot start: ${message}`);
    expect(JSON.parse(stdout)).toMatchObject({ err: { message, code: 'ENOTDIR', cause: { syscall: 'open' } } });
  });

  it('names an unknown command', async () => {
    const { code, stderr } = await failureOf(runCommand([...commandOf('main'), 'migarte'], {}));
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no command "migarte"')]);
  });

  it.skipIf(!existsSync('/proc/self'))('does not retry the creation of a folder forever', async () => {
    const { code, stderr } = await failureOf(runScript('main', { DATA_DIR: '/proc/none/data' }));
    expect(code).toBe(1);
    expect(stderr).toContain('The service cannot start: DATA_DIR (/proc/none/data) cannot be used: ');
  });
});
