import { describe, expect, it, vi } from 'vitest';
import { intervalLoop } from './interval-loop.js';

describe('an interval loop', () => {
  it('starts no run before the last one has ended, and none after a stop', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const loop = intervalLoop(
      async () => {
        runs += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      },
      () => 1,
    );
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2));
    await loop.stop();
    const atStop = runs;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([most, running, runs]).toEqual([1, 0, atStop]);
  });

  it('resolves a stop once the current run has ended', async () => {
    let end = () => {};
    let isAborted = false;
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const loop = intervalLoop(
      (signal) =>
        new Promise<void>((resolve) => {
          start();
          end = () => {
            isAborted = signal.aborted;
            resolve();
          };
        }),
      () => 0,
    );
    await started;
    const stopped = loop.stop();
    end();
    await stopped;
    expect(isAborted).toBe(true);
  });
});
