import { describe, expect, it } from 'vitest';
import { MemoryRunStore } from './memory-run-store.js';
import { runStoreContract } from './run-store.contract.js';

runStoreContract('memory', () => new MemoryRunStore({ retentionMs: 1000, limitChars: 10_000_000 }, () => 0));

const run = (runId: string) => ({ runId, ownerDid: 'o', sessionId: 's', requestId: 'r' });
const delta = (content: string) => ({ event: 'message' as const, data: { content, timestamp: '' } });

async function countFrames(store: MemoryRunStore, runId: string): Promise<number> {
  let count = 0;
  for await (const batch of store.follow(runId, 0, new AbortController().signal)) count += batch.length;
  return count;
}

describe('the memory that runs take', () => {
  it('is given back when the retention is over, and never from a run that goes on', async () => {
    let nowMs = 0;
    const store = new MemoryRunStore({ retentionMs: 1000, limitChars: 10_000 }, () => nowMs);
    await store.begin(run('going'));
    await store.begin(run('ended'));
    await store.append('ended', delta('a'));
    await store.end('ended', 'finished');
    nowMs = 999;
    await store.begin(run('second'));
    expect(await countFrames(store, 'ended')).toBe(1);
    nowMs = 1000;
    await store.begin(run('third'));
    expect(await countFrames(store, 'ended')).toBe(0);
    await store.append('going', delta('still here'));
  });

  it('is bounded: the runs that ended first go first', async () => {
    const store = new MemoryRunStore({ retentionMs: 1_000_000, limitChars: 2_500 }, () => 0);
    for (const runId of ['a', 'b', 'c']) {
      await store.begin(run(runId));
      await store.append(runId, delta('x'.repeat(1000)));
    }
    for (const runId of ['b', 'a', 'c']) await store.end(runId, 'finished');
    await store.begin(run('d'));
    expect(await countFrames(store, 'b')).toBe(0);
    expect(await countFrames(store, 'a')).toBe(1);
    expect(await countFrames(store, 'c')).toBe(1);
  });
});
