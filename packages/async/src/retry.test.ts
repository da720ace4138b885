import { describe, expect, it } from 'vitest';
import { backoffMs, retry } from './retry.js';

describe('retry', () => {
  it('repeats work until it succeeds, and passes each error with the number of failures', async () => {
    const seen: unknown[] = [];
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      if (attempts < 3) throw new Error(`failure ${attempts}`);
      return 'done';
    };
    const pauseMs = (error: unknown, failures: number) => {
      seen.push([String(error), failures]);
      return 0;
    };
    expect(await retry(work, { pauseMs })).toBe('done');
    expect(seen).toEqual([
      ['Error: failure 1', 1],
      ['Error: failure 2', 2],
    ]);
  });

  it('rejects with a final error', async () => {
    const work = () => Promise.reject(new Error('broken'));
    await expect(retry(work, { pauseMs: () => undefined })).rejects.toThrow('broken');
  });

  it('ends in a pause with the last error when it is aborted', async () => {
    const controller = new AbortController();
    let attempts = 0;
    const work = () => {
      attempts += 1;
      return Promise.reject(new Error('unavailable'));
    };
    const pauseMs = () => {
      setImmediate(() => controller.abort());
      return 60_000;
    };
    await expect(retry(work, { pauseMs, signal: controller.signal })).rejects.toThrow('unavailable');
    expect(attempts).toBe(1);
  });
});

describe('a backoff', () => {
  it('doubles up to its limit, and waits at least half of that', () => {
    const pauses = [1, 2, 3, 10].map((failures) => backoffMs(failures, { firstMs: 100, longestMs: 1_000 }));
    for (const [index, most] of [100, 200, 400, 1_000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(most / 2);
      expect(pauses[index]).toBeLessThanOrEqual(most);
    }
  });
});
