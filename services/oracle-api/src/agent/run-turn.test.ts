import { liveEvents, runEvents } from '@mlango/schemas/oracle-events';
import { describe, expect, it } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import { ModelError } from '../models/model-error.js';
import { gate, type Step, scriptedModel } from '../models/scripted-model.fixture.js';
import type { StopReason } from '../runs/stop.js';
import { runHi } from './run-turn.fixture.js';
import type { TurnEvent } from './turn-events.js';

function start(steps: readonly Step[], save?: (content: string) => Promise<boolean>) {
  const { turn, saved, ...run } = runHi(scriptedModel(steps).model, [], save);
  const texts = () => saved.map(({ content }) => content);
  return { ...run, texts, stop: (reason: StopReason) => turn.stop(reason) };
}

const namesOf = (events: readonly TurnEvent[]) => events.map(({ event }) => event);
const textOf = (events: readonly TurnEvent[]) =>
  events.map((event) => (event.event === 'message' ? event.data.content : '')).join('');

/** Estimated, because the model reports no usage. */
const usage = { inputTokens: 10, outputTokens: expect.any(Number), isEstimated: true };

describe('a turn', () => {
  it('publishes its start, the answer in deltas, and its end, in this order', async () => {
    const { events, texts, outcome } = start(['Hel', 'lo', '']);
    expect(await outcome).toMatchObject({ status: 'finished', content: 'Hello', messageId: 'req-1' });
    expect(namesOf(events)).toEqual(['run', 'message', 'message', 'done']);
    expect(events[0]?.data).toEqual({ runId: 'run-1', sessionId: 's-1', requestId: 'req-1' });
    expect(events.at(-1)?.data).toEqual({
      runId: 'run-1',
      messageId: 'req-1',
      status: 'finished',
      model: 'scripted',
      usage,
    });
    expect(texts()).toEqual(['Hello']);
  });

  it.each([
    ['aborted', 'aborted', ['run', 'message', 'done']],
    ['superseded', 'interrupted', ['run', 'message', 'done']],
    ['shutdown', 'interrupted', ['run', 'message', 'error', 'done']],
    ['timeout', 'failed', ['run', 'message', 'error', 'done']],
  ] as const)('stopped with %s ends as %s at once and stores its partial text', async (reason, status, names) => {
    const { events, texts, outcome, stop } = start(['part', gate().opened, 'never']);
    await new Promise((resolve) => setImmediate(resolve));
    stop(reason);
    expect(await outcome).toMatchObject({ status, content: 'part', messageId: 'req-1' });
    expect(namesOf(events)).toEqual(names);
    expect(events.at(-1)?.data).toEqual({
      runId: 'run-1',
      messageId: 'req-1',
      status,
      [status]: true,
      partialText: 'part',
      model: 'scripted',
      usage,
    });
    expect(texts()).toEqual(['part']);
  });

  it('stores nothing when stopped before the first text', async () => {
    const { events, texts, outcome, stop } = start([gate().opened]);
    stop('aborted');
    expect(await outcome).toEqual({ status: 'aborted', content: '' });
    expect(events.at(-1)?.data).toEqual({ runId: 'run-1', status: 'aborted', aborted: true });
    expect(texts()).toEqual([]);
  });

  it('hides the cause of a model failure and stores the partial answer', async () => {
    const secret = 'connect to https://key@provider.example refused';
    const { events, outcome } = start(['half', new Error(secret)]);
    expect(await outcome).toMatchObject({ status: 'failed', content: 'half', messageId: 'req-1' });
    expect(namesOf(events)).toEqual(['run', 'message', 'error', 'done']);
    expect(events[2]?.data).toMatchObject({ kind: 'unknown', source: 'model', retryable: true });
    expect(JSON.stringify(events)).not.toContain('provider.example');
  });

  it('passes on the kind and the detail of a model error', async () => {
    const { events } = start([new ModelError('rate_limit', 'The model is busy.', { retryable: true })]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(events[1]?.data).toMatchObject({ kind: 'rate_limit', detail: 'The model is busy.' });
  });

  it('fails without an answer', async () => {
    expect(await start([]).outcome).toMatchObject({ status: 'failed', failure: { kind: 'server' } });
  });

  it('reports an answer that cannot be stored, and still ends', async () => {
    const { events, outcome } = start(['hello'], () => Promise.reject(new Error('database away')));
    expect(await outcome).toMatchObject({ status: 'failed', failure: { source: 'store' } });
    expect(namesOf(events)).toEqual(['run', 'message', 'error', 'done']);
    expect(JSON.stringify(events)).not.toContain('database away');
  });

  it('of a deleted session ends without a message id', async () => {
    const { outcome } = start(['hello'], async () => false);
    expect(await outcome).toEqual({
      status: 'finished',
      content: 'hello',
      usage: expect.any(Object),
      answeredBy: 'scripted',
    });
  });

  it('that another process took over and ended meanwhile ends as stored there', async () => {
    const stores = await openTestStores();
    const add = stores.conversations.addMessage.bind(stores.conversations);
    const answer = { messageId: 'req-1', turnId: 'run-1', type: 'ai' as const, createdAt: new Date(0) };
    const takeOver = async () => {
      await add('did:key:asha', 's-1', { ...answer, content: 'hel', status: 'interrupted' });
      return true;
    };
    const { events, outcome } = runHi(scriptedModel(['hel', 'lo']).model, [], takeOver, stores);
    expect(await outcome).toMatchObject({ status: 'interrupted', content: 'hel', messageId: 'req-1' });
    expect(events.at(-1)?.data).toMatchObject({ status: 'interrupted', partialText: 'hel', messageId: 'req-1' });
  });

  it('drops NUL characters and stops reading an endless model', async () => {
    const { events, outcome } = start(['a\u0000b', ...Array<string>(30).fill('x'.repeat(10_000))]);
    const { content } = await outcome;
    expect(content).toHaveLength(200_000);
    expect(content.startsWith('abx')).toBe(true);
    expect(textOf(events)).toBe(content);
  });

  it('emits only events of the wire contract', async () => {
    const all: TurnEvent[] = [];
    for (const steps of [['a'], [], ['a', new Error('x')]] as const) {
      const { events, outcome } = start(steps);
      await outcome;
      all.push(...events);
    }
    for (const { event, data } of all)
      expect({ ...runEvents, ...liveEvents }[event].strict().parse(data)).toEqual(data);
  });
});
