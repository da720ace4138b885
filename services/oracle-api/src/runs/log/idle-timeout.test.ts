import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleTimeout } from './resumable-stream.js';
import type { RunLogStore } from './store.js';

const run = { runId: 'r', ownerDid: 'did:key:a', sessionId: 's', requestId: 'q' };
const silenceMs = 1_000;

describe('the idle timeout of a log reader', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = () => {
    const read = vi.fn<RunLogStore['read']>(async () => ({ frames: [], isEnded: false }));
    const parts = { runs: { read }, runRepository: { find: async () => undefined }, silenceMs };
    return { read, watch: new IdleTimeout(parts, run, 0, new AbortController().signal) };
  };

  it('ends the reading after two silent checks', async () => {
    const { watch } = start();
    await vi.advanceTimersByTimeAsync(silenceMs);
    expect(watch.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(silenceMs);
    expect(watch.signal.aborted).toBe(true);
    watch.close();
  });

  it('queries no store while frames arrive', async () => {
    const { watch, read } = start();
    for (let last = 1; last <= 5; last++) {
      watch.touch(last);
      await vi.advanceTimersByTimeAsync(silenceMs);
    }
    expect(read).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(silenceMs);
    expect(read).toHaveBeenCalledExactlyOnceWith(run, 5);
    watch.close();
  });
});
