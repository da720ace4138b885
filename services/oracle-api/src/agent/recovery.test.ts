import { type RunEventName, runEvents } from '@mlango/schemas/oracle-events';
import { describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import { replayFrames } from '../runs/log/frames.js';
import { MemoryRunLogStore } from '../runs/log/memory.js';
import type { RunFrame } from '../runs/log/store.js';
import type { StoredMessage } from '../store/sessions.js';
import type { CallRecord } from './loop/call-records.js';
import { toModelMessages } from './prompt/history.js';
import { closeRecoveredLog, storeRecovered } from './recovery.js';

const run = { runId: 'r', ownerDid: 'o', sessionId: 's', requestId: 'q' };
const place = { sessionId: 's', requestId: 'q' };
const timestamp = new Date(0).toISOString();

async function recover(
  events: [RunEventName, object][],
  partialText: string,
  made: readonly CallRecord[] = [],
  kept?: Pick<StoredMessage, 'content' | 'status'>,
  { isClosed = false, begunAnew = [] as readonly RunFrame[] } = {},
) {
  const runs = new MemoryRunLogStore({ retentionMs: 1000, limitChars: 10_000 }, () => 0);
  const { conversations, calls, suspended, addRun } = await openTestStores();
  await conversations.createSession('o', { sessionId: 's', createdAt: new Date(0) });
  const answer = { messageId: 'q', turnId: 'r', type: 'ai' as const, createdAt: new Date(0) };
  if (kept !== undefined) await conversations.addMessage('o', 's', { ...answer, ...kept });
  await runs.begin(run, 'dead', begunAnew);
  let { id, textLength } = begunAnew.at(-1) ?? { id: 0, textLength: 0 };
  const frames = events.map(([event, data]): RunFrame => {
    id += 1;
    textLength += event === 'message' && 'content' in data ? String(data.content).length : 0;
    return { id, event, data: JSON.stringify(data), textLength };
  });
  await runs.append(run, 'dead', frames);
  if (isClosed) await runs.end(run, 'dead', false);
  await addRun(run);
  await calls.begin(run, made);
  for (const { id, outcome } of made) if (outcome !== undefined) await calls.end(run, id, outcome);
  const noModels = { suspended, models: { find: () => undefined } };
  const ports = { conversations, runs, calls, writerId: 'w', now: () => new Date(0), ...noModels };
  const recovered = await storeRecovered({ ...run, partialText }, ports);
  await closeRecoveredLog(run, recovered, ports);
  const { status, usage, textMarks } = recovered;
  const part = await runs.read(run, id);
  const added = (part?.frames ?? []).map(({ event, data }) => ({ event, data: JSON.parse(data) as object }));
  for (const { event, data } of added) expect(runEvents[event as RunEventName].strict().parse(data)).toEqual(data);
  return {
    part,
    added,
    messages: await conversations.newestMessages('o', 's', 10),
    runs,
    conversations,
    status,
    usage,
    textMarks,
  };
}

const delta = (content: string): [RunEventName, object] => ['message', { content, timestamp }];

describe('recovery of a run after a process crash', () => {
  it('ends it as interrupted and stores the text of its frames as the answer', async () => {
    const { part, added, messages, usage } = await recover([delta('one '), delta('two')], 'one ');
    expect(messages).toMatchObject([{ messageId: 'q', turnId: 'r', type: 'ai', content: 'one two' }]);
    expect(added.map(({ event }) => event)).toEqual(['error', 'done']);
    expect(added[0]?.data).toMatchObject({ kind: 'interrupted', retryable: true });
    expect(added[1]?.data).toEqual({
      runId: 'r',
      messageId: 'q',
      status: 'interrupted',
      interrupted: true,
      partialText: 'one two',
    });
    expect(part?.isEnded).toBe(true);
    expect(usage).toMatchObject({ ...run, part: 0, outputTokens: 2, isEstimated: true });
  });

  it('stores the partial text of the repository when the frames have less', async () => {
    expect((await recover([], 'one two')).messages).toMatchObject([{ content: 'one two' }]);
  });

  it('charges by the stored answer when frames and repository have less', async () => {
    const { messages, usage } = await recover([], '', [], { content: 'one two three' });
    expect(messages).toMatchObject([{ content: 'one two three' }]);
    expect(usage).toMatchObject({ ...run, part: 0, outputTokens: expect.any(Number), isEstimated: true });
  });

  it('stores an interrupted answer without text when the frames have none', async () => {
    const { added, messages } = await recover([], '');
    expect(messages).toMatchObject([{ messageId: 'q', content: '', status: 'interrupted' }]);
    expect(added[1]?.data).toEqual({ runId: 'r', messageId: 'q', status: 'interrupted', interrupted: true });
  });

  it('uses the status of the done frame when only the repository was not updated', async () => {
    const done: [RunEventName, object] = ['done', { runId: 'r', messageId: 'q', status: 'finished' }];
    const kept = { content: 'one two', status: 'finished' as const };
    const { status, added, messages } = await recover([delta('one two'), done], 'one', [], kept);
    expect([status, added]).toEqual(['finished', []]);
    expect(messages).toMatchObject([{ content: 'one two', status: 'finished' }]);
  });

  it('stores the missing answer with the status of the done frame', async () => {
    const done: [RunEventName, object] = ['done', { runId: 'r', status: 'failed', failed: true, partialText: 'one' }];
    const { status, messages } = await recover([delta('one'), done], '');
    expect(status).toBe('failed');
    expect(messages).toMatchObject([{ content: 'one', status: 'failed' }]);
  });

  it('stores the missing answer from a closed log', async () => {
    const done: [RunEventName, object] = ['done', { runId: 'r', status: 'failed', failed: true, partialText: 'one' }];
    const { status, messages, added } = await recover([delta('one'), done], '', [], undefined, { isClosed: true });
    expect([status, added]).toEqual(['failed', []]);
    expect(messages).toMatchObject([{ content: 'one', status: 'failed' }]);
  });

  it('replaces a stored answer that is shorter than the text sent to readers', async () => {
    const done: [RunEventName, object] = ['done', { runId: 'r', messageId: 'q', status: 'finished' }];
    const kept = { content: 'one', status: 'interrupted' as const };
    const { status, messages } = await recover([delta('one '), delta('two'), done], '', [], kept);
    expect(status).toBe('finished');
    expect(messages).toMatchObject([{ content: 'one two', status: 'finished' }]);
  });

  it('keeps a complete stored answer and its status when readers had not received the end', async () => {
    const kept = { content: 'one two', status: 'finished' as const };
    const { status, added } = await recover([delta('one ')], 'one ', [], kept);
    expect(status).toBe('finished');
    expect(added).toEqual([
      { event: 'message', data: { content: 'two', timestamp } },
      { event: 'done', data: { runId: 'r', messageId: 'q', status: 'finished' } },
    ]);
  });

  it('stores tool calls and reasoning, and is not retryable', async () => {
    const pay = { id: 'a', plugin: 'bank', name: 'pay', args: { amount: 5 } };
    const done = { ...pay, outcome: { status: 'done' as const, output: '{"paid":5}' } };
    const thought: [RunEventName, object] = ['reasoning', { ...place, reasoning: 'Hm.', isComplete: false, timestamp }];
    const { added, messages } = await recover([thought], '', [done, { ...pay, id: 'b' }]);
    expect(messages).toMatchObject([
      {
        content: '',
        reasoning: 'Hm.',
        toolCalls: [
          { id: 'a', name: 'pay', args: { amount: 5 }, status: 'done', output: '{"paid":5}' },
          { id: 'b', status: 'unknown', output: expect.stringContaining('Do not repeat it without asking') },
        ],
      },
    ]);
    expect(toModelMessages(messages[0] as StoredMessage).at(-1)?.content).toContain('Outcome unknown');
    const [error, end] = added;
    expect(error?.data).toMatchObject({
      retryable: false,
      detail: expect.not.stringContaining('send the message again'),
    });
    expect(end?.data).toMatchObject({ messageId: 'q', status: 'interrupted' });
  });

  it('stores the positions of calls and components from the frames', async () => {
    const call = { id: 'a', plugin: 'maps', name: 'show', args: {} };
    const shown = { ...place, componentName: 'Map', args: { zoom: 1 }, at: 4 };
    const { messages } = await recover(
      [
        delta('one '),
        ['tool_call', { ...place, toolName: 'show', args: {}, eventId: 'a', status: 'isRunning' }],
        ['render_component' as RunEventName, shown],
        ['render_component' as RunEventName, { ...shown, args: { zoom: 2 }, at: 9 }],
        delta('two'),
      ],
      '',
      [{ ...call, outcome: { status: 'done', output: '1' } }],
    );
    const component = { componentName: 'Map', args: { zoom: 2 }, at: 4 };
    expect(messages).toMatchObject([{ content: 'one two', toolCalls: [{ id: 'a', at: 4 }], components: [component] }]);
  });

  it('closes running tools', async () => {
    const tool = { ...place, toolName: 't', args: {}, status: 'isRunning' };
    const { added } = await recover(
      [
        ['tool_call', { ...tool, eventId: 'a' }],
        ['tool_call', { ...tool, eventId: 'b' }],
        ['tool_call', { ...tool, eventId: 'a', status: 'done', output: '1' }],
        ['action_call', { ...tool, toolCallId: 'c' }],
      ],
      '',
    );
    expect(added.slice(0, 2)).toMatchObject([
      {
        event: 'tool_call',
        data: { eventId: 'b', status: 'done', output: expect.stringContaining('cut short'), error: expect.any(String) },
      },
      { event: 'action_call', data: { toolCallId: 'c', status: 'error', error: expect.any(String) } },
    ]);
  });

  it('continues after the last frame of a log that was restarted with fewer frames', async () => {
    const begunAnew = replayFrames(run, 'one two x', [0, 4, 7, 7, 9], 5, new Date(0));
    const { part, added, messages, textMarks } = await recover([delta('y')], '', [], undefined, { begunAnew });
    expect(messages).toMatchObject([{ content: 'one two xy' }]);
    expect(part?.frames.map(({ id }) => id)).toEqual([7, 8]);
    expect(added.map(({ event }) => event)).toEqual(['error', 'done']);
    expect(textMarks).toBe('.4.3..2.1..');
  });

  it('ends it as its process did, if that was frozen and stores its answer during the recovery', async () => {
    const { conversations, calls, suspended, addRun } = await openTestStores();
    await conversations.createSession('o', { sessionId: 's', createdAt: new Date(0) });
    await addRun(run);
    const runs = new MemoryRunLogStore({ retentionMs: 1000, limitChars: 10_000 }, () => 0);
    await runs.begin(run, 'frozen');
    const answer = { messageId: 'q', turnId: 'r', type: 'ai' as const, createdAt: new Date(0) };
    const add = conversations.addMessage.bind(conversations);
    vi.spyOn(conversations, 'addMessage').mockImplementationOnce(async (...args) => {
      await add('o', 's', { ...answer, content: 'one two', status: 'finished' });
      return add(...args);
    });
    const models = { find: () => undefined };
    const ports = { conversations, runs, calls, suspended, models, writerId: 'w', now: () => new Date(0) };
    expect(await storeRecovered({ ...run, partialText: 'one ' }, ports)).toMatchObject({ status: 'finished' });
    expect(await conversations.newestMessages('o', 's', 9)).toMatchObject([{ content: 'one two', status: 'finished' }]);
  });

  it('does not end a finished run twice, and fences the first writer', async () => {
    const { added, part, runs } = await recover([delta('all'), ['done', { runId: 'r', status: 'finished' }]], '');
    expect(added).toEqual([]);
    expect(part?.isEnded).toBe(true);
    await expect(runs.end(run, 'dead', false)).rejects.toThrow();
  });
});
