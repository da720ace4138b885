import type { IRunRecord, RunEvent } from '@mlango/oracle-client';
import { describe, expect, it } from 'vitest';
import { limitBytes, readRunFile, writeRunFile } from './run-file.js';
import { figuresOf, runSoFar } from './run-view.js';
import { momentText } from './timeline.js';

const call = { kind: 'tool_call', name: 'plot', id: 'c1', sessionId: 's', args: { x: 1 } } as const;
const usage = { inputTokens: 30, outputTokens: 12, isEstimated: false, credits: 42 };
const events: readonly RunEvent[] = [
  { kind: 'run', runId: 'r', requestId: 'q' },
  { kind: 'reasoning', text: 'Hm.', isComplete: true },
  { kind: 'component', component: { ...call, status: 'isRunning' }, at: 0 },
  { kind: 'component', component: { ...call, status: 'done', output: '{"y":2}' }, at: undefined },
  { kind: 'text', text: 'Two' },
  { kind: 'run', runId: 'r', partialLength: 3 },
  { kind: 'text', text: '.' },
  { kind: 'done', status: 'finished', model: 'backup', usage },
];
const record: IRunRecord = {
  requestId: 'q',
  startedAt: '2026-01-01T00:00:00.000Z',
  message: 'Plot',
  moments: events.map((event, index) => ({ atMs: index * 100, frames: 2, event })),
};
const file = (text: string) => new Blob([text]);

describe('a run in a file', () => {
  it('is restored unchanged', async () => {
    const written = writeRunFile('did:x', record);
    const read = await readRunFile(file(written));
    expect(read).toEqual({ kind: 'mlango-run', version: 1, oracleDid: 'did:x', record });
    const failure = { detail: 'no', kind: 'server', isRetryable: true };
    const component = { kind: 'error', name: 'Error', id: 'e', sessionId: 's', args: {}, status: 'error' } as const;
    const failed = [{ atMs: 0, frames: 1, event: { kind: 'failure', failure, component } as const }];
    expect(await readRunFile(file(writeRunFile('did:x', { ...record, moments: failed })))).toHaveProperty('record');
  });

  it.each([
    ['no JSON', 'hello', 'This file is not a recorded run.'],
    ['something else', '{"kind":"other"}', 'This file is not a recorded run: see kind.'],
    [
      'an unknown event',
      writeRunFile('did:x', record).replace('"restart"', '').replace('"reasoning"', '"rumour"'),
      'This file is not a recorded run: see record.moments.1.event.kind.',
    ],
    [
      'an invalid time',
      writeRunFile('did:x', record).replace('"atMs": 100', '"atMs": -1'),
      'This file is not a recorded run: see record.moments.1.atMs.',
    ],
  ])('is refused when it is %s', async (_, text, problem) => {
    expect(await readRunFile(file(text))).toEqual({ problem });
  });

  it('is not read if it is larger than any run', async () => {
    const read = await readRunFile(file(' '.repeat(limitBytes + 1)));
    expect(read).toEqual({ problem: 'This file is larger than 8 MB and cannot be opened.' });
  });
});

describe('a run in numbers', () => {
  it('has time to first token and usage', () => {
    expect(figuresOf(record.moments)).toEqual({
      status: 'finished',
      model: 'backup',
      firstMs: 100,
      wholeMs: 700,
      frames: 16,
      steps: 2,
      calls: 1,
      usage,
    });
    expect(figuresOf([])).toMatchObject({ status: 'running', firstMs: undefined, wholeMs: 0, steps: 0 });
  });
});

describe('a replayed run', () => {
  it('has each call in its state at that time, and restarts where the stream did', () => {
    expect(runSoFar(record.moments.slice(0, 3))).toMatchObject({ text: '', components: [{ status: 'isRunning' }] });
    expect(runSoFar(record.moments)).toMatchObject({
      reasoning: 'Hm.',
      text: 'Two.',
      components: [{ status: 'done' }],
    });
    const anew = [...record.moments, { atMs: 800, frames: 1, event: { kind: 'restart' } as const }];
    expect(runSoFar(anew)).toEqual({ reasoning: '', text: '', components: [] });
  });
});

it('is described as text', () => {
  expect(events.map((event) => momentText(event)).map(({ what, detail }) => `${what}: ${detail}`)).toEqual([
    'Run: r',
    'Reasoning: Hm.',
    'Tool call: plot {"x":1}',
    'Tool done: plot → {"y":2}',
    'Text: Two',
    'Resumed: after 3 characters',
    'Text: .',
    'Done: finished',
  ]);
});
