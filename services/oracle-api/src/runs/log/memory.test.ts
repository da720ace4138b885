import { describe, expect, it } from 'vitest';
import { MemoryRunLogStore } from './memory.js';
import { runStoreContract } from './store.contract.js';
import type { RunFrame } from './store.js';

runStoreContract('memory', () => new MemoryRunLogStore({ retentionMs: 1000, limitChars: 10_000_000 }, () => 0));

const run = (runId: string) => ({ runId, ownerDid: 'o' });
const frame = (data: string): RunFrame => ({ id: 1, event: 'message', data, textLength: 1 });

describe('the memory of run logs', () => {
  it('is freed after the retention, and never for a live run', async () => {
    let nowMs = 0;
    const store = new MemoryRunLogStore({ retentionMs: 1000, limitChars: 10_000 }, () => nowMs);
    await store.begin(run('going'), 'w');
    await store.begin(run('ended'), 'w');
    await store.append(run('ended'), 'w', [frame('a')]);
    await store.end(run('ended'), 'w', false);
    nowMs = 999;
    await store.begin(run('second'), 'w');
    expect(await store.read(run('ended'), 0)).toBeDefined();
    nowMs = 1000;
    await store.begin(run('third'), 'w');
    expect(await store.read(run('ended'), 0)).toBeUndefined();
    await store.append(run('going'), 'w', [frame('still here')]);
  });

  it('is freed earlier for runs with a stored answer, and for those first at the limit', async () => {
    let nowMs = 0;
    const store = new MemoryRunLogStore({ retentionMs: 1000, framesMs: 10, limitChars: 3_000 }, () => nowMs);
    for (const runId of ['unanswered', 'answered', 'later']) {
      await store.begin(run(runId), 'w');
      await store.append(run(runId), 'w', [frame('"a"')]);
      await store.end(run(runId), 'w', runId !== 'unanswered');
      nowMs += 5;
    }
    await store.begin(run('going'), 'w');
    expect(await store.read(run('answered'), 0)).toBeUndefined();
    expect(await store.read(run('later'), 0)).toBeDefined();
    await store.append(run('going'), 'w', [frame(`"${'x'.repeat(3_000)}"`)]);
    await store.begin(run('next'), 'w');
    expect(await store.read(run('later'), 0)).toBeUndefined();
  });

  it('is bounded: the runs that ended first are deleted first', async () => {
    const store = new MemoryRunLogStore({ retentionMs: 1_000_000, limitChars: 2_500 }, () => 0);
    for (const runId of ['a', 'b', 'c']) {
      await store.begin(run(runId), 'w');
      await store.append(run(runId), 'w', [frame('x'.repeat(1000))]);
    }
    for (const runId of ['b', 'a', 'c']) await store.end(run(runId), 'w', false);
    await store.begin(run('d'), 'w');
    expect(await store.read(run('b'), 0)).toBeUndefined();
    expect(await store.read(run('a'), 0)).toBeDefined();
    expect(await store.read(run('c'), 0)).toBeDefined();
  });
});
