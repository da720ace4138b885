import type { RunStatus } from '@mlango/schemas/oracle-events';
import { describe, expect, it } from 'vitest';
import { MemoryRunStore } from './memory-run-store.js';
import type { RunFrame } from './run-store.js';
import { runStream } from './run-stream.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const frame = (id: number): RunFrame => ({ id, event: 'message', data: '{"content":"x"}', textLength: id });

async function setUp(statuses: (RunStatus | undefined)[], answer?: string) {
  const runs = new MemoryRunStore({ retentionMs: 1000, limitChars: 10_000 }, () => 0);
  await runs.begin(run, 'w');
  let looks = 0;
  const register = {
    find: async () => {
      const status = statuses[Math.min(looks++, statuses.length - 1)];
      return status === undefined ? undefined : { ...run, status, createdAt: new Date(0) };
    },
  };
  const read = async (after = 0, signal = new AbortController().signal) => {
    const frames: RunFrame[] = [];
    for await (const batch of runStream(
      { runs, register, answerOf: async () => answer, now: () => new Date(0), lookMs: 1, silenceMs: 5 },
      run,
      after,
      signal,
    ))
      frames.push(...batch);
    return frames.map(({ id, event, data }) => ({ id, event, data: JSON.parse(data) as object }));
  };
  return { runs, read };
}

describe('the stream of a run', () => {
  it('waits for the end of a run whose log is gone, and tells how it ended', async () => {
    const { runs, read } = await setUp(['running', 'running', 'recovering', 'interrupted']);
    await runs.append(run, 'w', [frame(1)]);
    await runs.forget([run]);
    expect(await read(1)).toMatchObject([
      { id: 1, event: 'run', data: { resumed: true } },
      { id: 2, event: 'error', data: { kind: 'interrupted', retryable: true, sessionId: 's', requestId: 'q' } },
      { id: 3, event: 'done', data: { runId: 'r', status: 'interrupted', interrupted: true } },
    ]);
  });

  it('gives the whole of what was kept of an answer that was interrupted and whose log is gone', async () => {
    const { runs, read } = await setUp(['interrupted'], 'one two');
    await runs.forget([run]);
    const [resumed, , done] = await read(7);
    expect(resumed?.data).not.toHaveProperty('partialLength');
    expect(done).toMatchObject({ id: 9, event: 'done', data: { messageId: 'q', partialText: 'one two' } });
  });

  it('ends as aborted when the run went with its session', async () => {
    const { runs, read } = await setUp([undefined]);
    await runs.forget([run]);
    expect(await read()).toMatchObject([{ id: 1, event: 'done', data: { status: 'aborted', aborted: true } }]);
  });

  it('does not wait for ever for a log that nobody will finish', async () => {
    const { runs, read } = await setUp(['finished']);
    await runs.append(run, 'w', [frame(1), frame(2)]);
    const frames = await read();
    expect(frames.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(frames[2]).toMatchObject({ event: 'done', data: { status: 'finished', messageId: 'q' } });
    expect((await read(2)).map(({ event }) => event)).toEqual(['run', 'done']);
  });

  it('waits as long as it takes for a run that goes on in silence', async () => {
    const { runs, read } = await setUp(['running']);
    const reading = read();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await runs.append(run, 'w', [frame(1), { ...frame(2), event: 'done' }]);
    await runs.end(run, 'w');
    expect((await reading).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('says nothing more to a reader who has left', async () => {
    const { read } = await setUp(['running']);
    expect(await read(0, AbortSignal.abort())).toEqual([]);
  });
});
