import { type RunStatus, runEvents } from '@mlango/schemas/oracle-events';
import { describe, expect, it, vi } from 'vitest';
import type { StoredToolCall } from '../../store/sessions.js';
import { formatTextEnds, textEndsOf, textLengthAt } from './frames.js';
import { MemoryRunLogStore } from './memory.js';
import { runStream } from './resumable-stream.js';
import type { RunFrame } from './store.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const frame = (id: number): RunFrame => ({ id, event: 'message', data: '{"content":"x"}', textLength: id });

async function setUp(
  statuses: (RunStatus | undefined)[],
  content?: string,
  more: { textMarks?: string; toolCalls?: StoredToolCall[] } = {},
) {
  const { textMarks, toolCalls } = more;
  const answer =
    content === undefined
      ? undefined
      : { content, createdAt: new Date(0), ...(toolCalls === undefined ? {} : { toolCalls }) };
  const runs = new MemoryRunLogStore({ retentionMs: 1000, limitChars: 10_000 }, () => 0);
  await runs.begin(run, 'w');
  let looks = 0;
  const runRepository = {
    find: async () => {
      const status = statuses[Math.min(looks++, statuses.length - 1)];
      return status === undefined
        ? undefined
        : { ...run, status, createdAt: new Date(0), ...(textMarks === undefined ? {} : { textMarks }) };
    },
  };
  const read = async (after = 0, signal = new AbortController().signal) => {
    const frames: RunFrame[] = [];
    for await (const batch of runStream(
      { runs, runRepository, answerOf: async () => answer, now: () => new Date(0), lookMs: 1, silenceMs: 5 },
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
  it('waits for the end of a run without a log, and sends its status', async () => {
    const { runs, read } = await setUp(['running', 'running', 'recovering', 'interrupted']);
    await runs.append(run, 'w', [frame(1)]);
    await runs.forget([run]);
    expect(await read(1)).toMatchObject([
      { id: 1, event: 'run', data: { resumed: true } },
      { id: 1, event: 'run', data: { resumed: true, lost: { from: 2 } } },
      { id: 2, event: 'error', data: { kind: 'interrupted', retryable: true, sessionId: 's', requestId: 'q' } },
      { id: 3, event: 'done', data: { runId: 'r', status: 'interrupted', interrupted: true } },
    ]);
  });

  it('ends at a suspension, but not at an earlier one of a resumed run', async () => {
    const done = (id: number, status: RunStatus): RunFrame => ({
      id,
      event: 'done',
      textLength: id,
      data: JSON.stringify({ runId: 'r', status }),
    });
    const ids = async (status: RunStatus, batches: readonly RunFrame[][], after = 0) => {
      const { runs, read } = await setUp([status]);
      for (const batch of batches) await runs.append(run, 'w', batch);
      return (await read(after)).filter(({ data }) => !('resumed' in data)).map(({ id }) => id);
    };
    const [before, pause, rest] = [frame(1), done(2, 'waiting'), [frame(3), done(4, 'finished')]];
    expect(await ids('waiting', [[before, pause]])).toEqual([1, 2]);
    expect(await ids('finished', [[before, pause, ...rest]])).toEqual([1, 3, 4]);
    expect(await ids('finished', [[before, pause], rest])).toEqual([1, 3, 4]);
    expect(await ids('finished', [[before, pause, ...rest]], 2)).toEqual([3, 4]);
    const { runs, read } = await setUp(['running']);
    await runs.append(run, 'w', [before, pause]);
    const reading = read();
    await runs.append(run, 'w', rest);
    expect((await reading).map(({ id }) => id)).toEqual([1, 3, 4]);
  });

  it('sends the whole stored answer of an interrupted run without a log', async () => {
    const { runs, read } = await setUp(['interrupted'], 'one two');
    await runs.forget([run]);
    const [resumed, , done] = await read(7);
    expect(resumed?.data).not.toHaveProperty('partialLength');
    expect(done).toMatchObject({ id: 9, event: 'done', data: { messageId: 'q', partialText: 'one two' } });
  });

  it('sends a run from its stored answer when the frames are deleted, and only the missing part to a reader that resumes', async () => {
    const text = ['Habari ', '👋🏾', ' \ud83d', '\ude00 ', 'end'];
    const lengths = [0, 0, 0, ...text.map((part) => part.length), 0];
    const ends = lengths.map((_, place) => lengths.slice(0, place + 1).reduce((sum, length) => sum + length));
    const call = { id: 'c1', name: 'clock', args: { zone: 'UTC' }, status: 'done', output: '"noon"' };
    const toolCalls: StoredToolCall[] = [
      call,
      { ...call, id: 'c2', kind: 'action', status: 'error', output: '{"error":"no"}' },
    ];
    const { runs, read } = await setUp(['finished'], text.join(''), { textMarks: formatTextEnds(ends), toolCalls });
    await runs.forget([run]);
    const place = { sessionId: 's', requestId: 'q' };
    const whole = await read(0);
    expect(whole).toEqual([
      { id: 1, event: 'run', data: { runId: 'r', ...place } },
      { id: 8, event: 'message', data: { content: text.join(''), timestamp: new Date(0).toISOString() } },
      {
        id: 9,
        event: 'tool_call',
        data: { ...place, toolName: 'clock', args: { zone: 'UTC' }, eventId: 'c1', status: 'done', output: '"noon"' },
      },
      {
        id: 10,
        event: 'action_call',
        data: {
          ...place,
          toolName: 'clock',
          args: { zone: 'UTC' },
          toolCallId: 'c2',
          status: 'error',
          output: '{"error":"no"}',
          error: 'no',
        },
      },
      { id: 11, event: 'done', data: { runId: 'r', messageId: 'q', status: 'finished' } },
    ]);
    for (const { event, data } of whole)
      expect(runEvents[event as keyof typeof runEvents].strict().parse(data)).toEqual(data);
    const textIn = (frames: typeof whole) =>
      frames.map(({ event, data }) => (event === 'message' && 'content' in data ? data.content : '')).join('');
    // Also after frames of the stored answer itself, with its text in one frame.
    for (let after = 1; after <= 12; after++) {
      const [resumed, ...rest] = await read(after);
      const seen = text.join('').slice(0, textLengthAt(ends, after));
      expect(resumed).toMatchObject({ id: after, data: { resumed: true, partialLength: seen.length } });
      expect(seen + textIn(rest)).toBe(text.join(''));
      expect(rest.every(({ id }, index) => id > (rest[index - 1]?.id ?? after))).toBe(true);
      expect(rest.at(-1)?.event).toBe('done');
    }
  });

  it('sends only the missing part to a reader of a log that is deleted meanwhile', async () => {
    const textMarks = formatTextEnds(textEndsOf([frame(1), frame(2), frame(3)]));
    const { runs, read } = await setUp(['running', 'finished'], 'xyz', { textMarks });
    await runs.append(run, 'w', [frame(1), frame(2)]);
    const reading = read();
    await new Promise((resolve) => setImmediate(resolve));
    await runs.forget([run]);
    expect(await reading).toMatchObject([
      { id: 1, data: { content: 'x' } },
      { id: 2, data: { content: 'x' } },
      { id: 2, event: 'run', data: { resumed: true, lost: { from: 3 } } },
      { id: 3, event: 'message', data: { content: 'z' } },
      { id: 4, event: 'done' },
    ]);
  });

  it('reports an unreadable log of a live run once, and follows the restarted log', async () => {
    const { runs, read } = await setUp(['running']);
    await runs.append(run, 'w', [frame(1), frame(2)]);
    const reading = read();
    await new Promise((resolve) => setImmediate(resolve));
    const failing = vi.spyOn(runs, 'follow').mockImplementation(() => {
      throw new Error('away');
    });
    await runs.forget([run]);
    await vi.waitFor(() => expect(failing.mock.calls.length).toBeGreaterThan(2));
    await runs.begin(run, 'w', [frame(1), frame(2), frame(3)]);
    failing.mockRestore();
    await runs.append(run, 'w', [{ ...frame(4), event: 'done', data: '{"status":"finished"}' }]);
    expect(await reading).toMatchObject([
      { id: 1, data: { content: 'x' } },
      { id: 2, data: { content: 'x' } },
      { id: 2, event: 'run', data: { resumed: true, lost: { from: 3 } } },
      { id: 3, data: { content: 'x' } },
      { id: 4, event: 'done' },
    ]);
  });

  it('sends no text to a reader with a part of an answer that was stored with different text', async () => {
    const { runs, read } = await setUp(['finished'], 'shorter', { textMarks: formatTextEnds(textEndsOf([frame(1)])) });
    await runs.forget([run]);
    expect((await read(1)).map(({ event }) => event)).toEqual(['run', 'done']);
    expect((await read(0)).map(({ event }) => event)).toEqual(['run', 'message', 'done']);
  });

  it('ends as aborted when the run was deleted with its session', async () => {
    const { runs, read } = await setUp([undefined]);
    await runs.forget([run]);
    expect(await read()).toMatchObject([{ id: 1, event: 'done', data: { status: 'aborted', aborted: true } }]);
  });

  it('ends at a log that has no writer to finish it', async () => {
    const { runs, read } = await setUp(['finished']);
    await runs.append(run, 'w', [frame(1), frame(2)]);
    const frames = await read();
    expect(frames.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(frames[2]).toMatchObject({ event: 'done', data: { status: 'finished', messageId: 'q' } });
    expect((await read(2)).map(({ event }) => event)).toEqual(['run', 'done']);
  });

  it('waits without limit for a silent live run', async () => {
    const { runs, read } = await setUp(['running']);
    const reading = read();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await runs.append(run, 'w', [frame(1), { ...frame(2), event: 'done' }]);
    await runs.end(run, 'w', false);
    expect((await reading).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('sends nothing to a reader that has closed', async () => {
    const { read } = await setUp(['running']);
    expect(await read(0, AbortSignal.abort())).toEqual([]);
  });
});
