import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedSeed } from './keys.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oracle-seed-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('a stored seed', () => {
  it('is generated once, in a file that only its owner can read', async () => {
    const nested = join(directory, 'not', 'there');
    const seed = await storedSeed(nested, 'oracle.seed');
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
    expect(await storedSeed(nested, 'oracle.seed')).toBe(seed);
    expect((await stat(join(nested, 'oracle.seed'))).mode & 0o777).toBe(0o600);
    expect((await stat(nested)).mode & 0o777).toBe(0o700);
    expect(await readdir(nested)).toEqual(['oracle.seed']);
  });

  it('is the same for concurrent callers', async () => {
    const seeds = await Promise.all(Array.from({ length: 10 }, () => storedSeed(directory, 'oracle.seed')));
    expect(new Set(seeds).size).toBe(1);
    expect(await readdir(directory)).toEqual(['oracle.seed']);
  });

  it('is never replaced if the file has other content', async () => {
    await writeFile(join(directory, 'oracle.seed'), 'precious');
    await expect(storedSeed(directory, 'oracle.seed')).rejects.toThrow('does not contain a seed');
    expect(await readFile(join(directory, 'oracle.seed'), 'utf8')).toBe('precious');
  });
});
