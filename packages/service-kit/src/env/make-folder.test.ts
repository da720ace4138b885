import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from './data-dir.js';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'mlango-make-folder-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('makeFolder', () => {
  it('creates all missing folders, readable for their owner only, and none twice', () => {
    const folder = join(place, 'some', 'where', 'deep');
    makeFolder(folder);
    makeFolder(folder);
    for (const made of [join(place, 'some'), folder]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('names the obstacle', () => {
    const file = join(place, 'a-file');
    writeFileSync(file, '');
    expect(() => makeFolder(join(file, 'data'))).toThrow('ENOTDIR');
  });

  it.skipIf(!existsSync('/proc/self'))('fails at a path where no folder can be created', () => {
    expect(() => makeFolder('/proc/none/data')).toThrow("ENOENT: no such file or directory, mkdir '/proc/none'");
  });
});
