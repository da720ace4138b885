import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.mjs';

// Higher than any process id a system hands out.
const NOBODY = 2 ** 30;

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mlango-lock-'));
  file = join(folder, 'deep/lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('withLock', () => {
  it('runs one work at a time for any number of callers, and leaves no files behind', async () => {
    let inside = 0;
    let most = 0;
    let waits = 0;
    const onWait = () => {
      waits += 1;
    };
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 4 }, () => withLock(file, { onWait }, work)));
    expect({ most, waits }).toEqual({ most: 1, waits: 3 });
    expect(existsSync(file)).toBe(false);
  });

  it('is released when the work fails', async () => {
    const fail = () => Promise.reject(new Error('no'));
    await expect(withLock(file, { onWait: () => {} }, fail)).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  it('takes over the lock of a dead process on this machine', async () => {
    await withLock(file, { onWait: () => {} }, async () => {});
    writeFileSync(file, JSON.stringify({ pid: NOBODY, host: hostname() }));
    await expect(withLock(file, { onWait: () => {} }, async () => 'done')).resolves.toBe('done');
  });

  it('respects a lock of another machine until it is no longer refreshed', async () => {
    await withLock(file, { onWait: () => {} }, async () => {});
    writeFileSync(file, JSON.stringify({ pid: NOBODY, host: 'elsewhere' }));
    const stop = AbortSignal.timeout(500);
    await expect(withLock(file, { onWait: () => {}, signal: stop }, async () => {})).rejects.toThrow('Stopped');
    const longAgo = new Date(Date.now() - 10 * 60_000);
    utimesSync(file, longAgo, longAgo);
    await expect(withLock(file, { onWait: () => {} }, async () => 'done')).resolves.toBe('done');
  });

  it('does not remove a lock that another process has taken over', async () => {
    await withLock(file, { onWait: () => {} }, async () => writeFileSync(file, 'another'));
    expect(readFileSync(file, 'utf8')).toBe('another');
  });
});
