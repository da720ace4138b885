import { describe, expect, it } from 'vitest';
import { MemoryRunStore } from './memory-run-store.js';
import { runStoreContract } from './run-store.contract.js';
import type { RunFrame } from './run-store.js';

runStoreContract('memory', () => new MemoryRunStore({ retentionMs: 1000, limitChars: 10_000_000 }, () => 0));

const run = (runId: string) => ({ runId, ownerDid: 'o' });
const frame = (data: string): RunFrame => ({ id: 1, event: 'message', data, textLength: 1 });

describe('the memory that runs take', () => {
  it('is given back when the retention is over, and never from a run that goes on', async () => {
    let nowMs = 0;
    const store = new MemoryRunStore({ retentionMs: 1000, limitChars: 10_000 }, () => nowMs);
    await store.begin(run('going'), 'w');
    await store.begin(run('ended'), 'w');
    await store.append(run('ended'), 'w', [frame('a')]);
    await store.end(run('ended'), 'w');
    nowMs = 999;
    await store.begin(run('second'), 'w');
    expect(await store.read(run('ended'), 0)).toBeDefined();
    nowMs = 1000;
    await store.begin(run('third'), 'w');
    expect(await store.read(run('ended'), 0)).toBeUndefined();
    await store.append(run('going'), 'w', [frame('still here')]);
  });

  it('is bounded: the runs that ended first go first', async () => {
    const store = new MemoryRunStore({ retentionMs: 1_000_000, limitChars: 2_500 }, () => 0);
    for (const runId of ['a', 'b', 'c']) {
      await store.begin(run(runId), 'w');
      await store.append(run(runId), 'w', [frame('x'.repeat(1000))]);
    }
    for (const runId of ['b', 'a', 'c']) await store.end(run(runId), 'w');
    await store.begin(run('d'), 'w');
    expect(await store.read(run('b'), 0)).toBeUndefined();
    expect(await store.read(run('a'), 0)).toBeDefined();
    expect(await store.read(run('c'), 0)).toBeDefined();
  });
});
