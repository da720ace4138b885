import { liveEvents, runEvents } from '@mlango/schemas/oracle-events';
import { describe, expect, it } from 'vitest';
import type { LanguageModel, ModelPart, ModelRequest, ModelTool } from '../../models/language-model.js';
import { gate } from '../../models/scripted-model.fixture.js';
import { untrustedSchema } from '../../models/tool-schemas/untrusted-schema.js';
import { runHi } from '../run-turn.fixture.js';
import type { TurnEvent } from '../turn-events.js';
import type { FrontendAnswer, TurnTool } from './turn-tool.js';

interface Called {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Answering = (called: Called) => Promise<FrontendAnswer>;

/** Two tools and an action. */
function toolsThat(answer: Answering): TurnTool[] {
  const numeric = { type: 'object', properties: { by: { type: 'number' } } };
  const toolOf = (kind: TurnTool['kind'], name: string, schema: ModelTool['schema'] = {}): TurnTool => ({
    kind,
    name,
    definition: { name, description: name, schema },
    plugin: 'test',
    isHarmless: () => false,
    fingerprint: name,
    approvalFor: async () => undefined,
    call: async (args, { toolCallId }) => {
      const checked = untrustedSchema(schema).check(args);
      if (!checked.ok) return { ok: false, error: `The arguments do not fit: ${checked.problem}`, isBadCall: true };
      return answer({ toolName: name, toolCallId, args });
    },
  });
  return [toolOf('tool', 'scroll'), toolOf('tool', 'zoom', numeric), toolOf('action', 'plot')];
}

const call = (name: string, args: Record<string, unknown> = {}): ModelPart => ({
  type: 'tool_call',
  call: { name, args },
});
const say = (delta: string): ModelPart => ({ type: 'text', delta });

/** Each inner list is the output of one model request. */
function start(steps: ModelPart[][], answer: Answering, otherwise = () => steps.at(-1) ?? [], contextTokens?: number) {
  const requests: ModelRequest[] = [];
  const calls: Called[] = [];
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    ...(contextTokens === undefined ? {} : { contextTokens }),
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] });
      yield* steps[requests.length - 1] ?? otherwise();
    },
  };
  const tools = toolsThat((called) => {
    calls.push(called);
    return answer(called);
  });
  return { ...runHi(model, tools), requests, calls };
}

const namesOf = (events: readonly TurnEvent[]) =>
  events.map(({ event, data }) => ('status' in data && event !== 'done' ? `${event} ${data.status}` : event));

describe('a turn with tool calls', () => {
  it('returns the results to the model, and stores them with the answer', async () => {
    const turn = start(
      [[say('Let me see. '), call('scroll', { to: 'end' }), call('plot', { x: [1, 2] })], [say('Done.')]],
      async ({ toolName }) => ({ ok: true, result: { by: toolName } }),
    );
    expect(await turn.outcome).toMatchObject({ status: 'finished', content: 'Let me see. Done.' });
    expect(turn.calls).toEqual([
      { toolName: 'scroll', toolCallId: 'call-1', args: { to: 'end' } },
      { toolName: 'plot', toolCallId: 'call-2', args: { x: [1, 2] } },
    ]);
    expect(turn.requests[0]?.tools?.map(({ name }) => name)).toEqual(['scroll', 'zoom', 'plot']);
    expect(turn.requests[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'Let me see. ', toolCalls: [{ id: 'call-1' }, { id: 'call-2' }] },
      { role: 'tool', toolCallId: 'call-1', content: '{"by":"scroll"}' },
      { role: 'tool', toolCallId: 'call-2', content: '{"by":"plot"}' },
    ]);
    expect(turn.saved[0]?.toolCalls).toEqual([
      { id: 'call-1', name: 'scroll', args: { to: 'end' }, status: 'done', output: '{"by":"scroll"}', at: 12 },
      {
        id: 'call-2',
        name: 'plot',
        args: { x: [1, 2] },
        kind: 'action',
        status: 'done',
        output: '{"by":"plot"}',
        at: 12,
      },
    ]);
    expect(namesOf(turn.events)).toEqual([
      'run',
      'message',
      'tool_call isRunning',
      'action_call isRunning',
      'tool_call done',
      'action_call done',
      'message',
      'done',
    ]);
    for (const { event, data } of turn.events)
      expect({ ...runEvents, ...liveEvents }[event].strict().parse(data)).toEqual(data);
  });

  it('reports a failure and a missing tool to the model, and continues', async () => {
    const turn = start([[call('plot'), call('scroll'), call('nothing')], [say('Sorry.')]], async ({ toolName }) => {
      if (toolName === 'scroll') throw new Error('secret cause');
      return { ok: false, error: 'No tab is open.' };
    });
    expect(await turn.outcome).toMatchObject({ status: 'finished', content: 'Sorry.' });
    const results = turn.requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results?.[0]).toContain('No tab is open.');
    expect(results?.[2]).toContain('no tool called nothing');
    expect(JSON.stringify(turn.events)).not.toContain('secret cause');
    expect(namesOf(turn.events)).toContain('action_call error');
  });

  it('closes a running tool when the turn is stopped', async () => {
    const turn = start([[call('scroll'), call('plot')]], () => {
      turn.turn.stop('aborted');
      return new Promise(() => undefined);
    });
    expect(await turn.outcome).toMatchObject({ status: 'aborted' });
    expect(namesOf(turn.events).toSorted()).toEqual(
      ['run', 'tool_call isRunning', 'action_call isRunning', 'tool_call done', 'action_call error', 'done'].toSorted(),
    );
    expect(namesOf(turn.events).at(-1)).toBe('done');
    expect(turn.saved[0]?.toolCalls?.map(({ output }) => output)).toEqual([
      expect.stringContaining('cut short'),
      expect.stringContaining('cut short'),
    ]);
  });

  it('stops a model that only calls tools', async () => {
    let count = 0;
    const turn = start(
      [],
      async () => ({ ok: true, result: null }),
      () => [call('scroll', { to: ++count })],
    );
    expect(await turn.outcome).toMatchObject({ status: 'finished', content: '' });
    expect(turn.calls).toHaveLength(8);
    expect(turn.requests.map(({ mayCall }) => mayCall)).toEqual([...Array(8).fill(undefined), false]);
    expect(turn.requests.at(-1)?.tools, 'what it called is still declared').toEqual(turn.requests[0]?.tools);
  });

  it('makes an identical call twice at most, and then requires an answer without calls', async () => {
    const same = [call('scroll', { to: { a: 1, b: 2 } })];
    const turn = start(
      [same, [call('scroll', { to: { b: 2, a: 1 } })], same, same, same, [say('I give up.')]],
      async () => ({
        ok: true,
        result: 1,
      }),
    );
    expect(await turn.outcome).toMatchObject({ status: 'finished', content: 'I give up.' });
    expect(turn.calls).toHaveLength(2);
    expect(turn.requests.map(({ mayCall = true }) => mayCall)).toEqual([true, true, true, true, true, false]);
    expect(turn.requests.at(-1)?.tools).toEqual(turn.requests[0]?.tools);
    expect(turn.requests[3]?.messages.at(-1)?.content).toContain('the same call was made before');
  });

  it('reports invalid arguments to the model, and permits one correction', async () => {
    const garbled: ModelPart = { type: 'tool_call', call: { name: 'scroll', args: {} }, problem: 'No JSON object.' };
    const mended = start([[garbled], [call('scroll', { to: 'end' })], [say('Done.')]], async () => ({
      ok: true,
      result: 1,
    }));
    expect(await mended.outcome).toMatchObject({ status: 'finished' });
    expect(mended.requests[1]?.messages.at(-1)?.content).toContain('No JSON object.');
    expect(mended.calls).toHaveLength(1);
    const stubborn = start([[garbled], [garbled], [call('scroll')], [say('Sorry.')]], async () => ({
      ok: true,
      result: 1,
    }));
    expect(await stubborn.outcome).toMatchObject({ status: 'finished', content: 'Sorry.' });
    expect(stubborn.requests[3]?.messages.at(-1)?.content).toContain('called twice with arguments that do not fit');
    expect(stubborn.calls).toHaveLength(0);
  });

  it('rejects arguments that do not match the schema', async () => {
    const turn = start([[call('zoom', { by: 'much' })], [call('zoom', { by: 2 })], [say('Done.')]], async () => ({
      ok: true,
      result: null,
    }));
    expect(await turn.outcome).toMatchObject({ status: 'finished' });
    expect(turn.requests[1]?.messages.at(-1)?.content).toContain('The arguments do not fit: by');
    expect(turn.calls.map(({ args }) => args)).toEqual([{ by: 2 }]);
  });

  it('bounds the calls of one step and the characters of their arguments', async () => {
    const many = Array.from({ length: 100 }, (_, to) => call('scroll', { to }));
    const flooded = start([many, [say('Done.')]], async () => ({ ok: true, result: null }));
    expect((await flooded.outcome).toolCalls).toHaveLength(32);
    expect(flooded.calls).toHaveLength(16);
    const long = start([[call('scroll', { to: 'x'.repeat(70_000) })], [say('Done.')]], async () => ({
      ok: true,
      result: 1,
    }));
    expect((await long.outcome).toolCalls?.[0]).toMatchObject({
      args: {},
      output: expect.stringContaining('too long'),
    });
    expect(long.calls).toHaveLength(0);
  });

  it('cuts long results to the context window', async () => {
    const result = 'x'.repeat(10_000);
    const turn = start(
      [[call('scroll'), call('plot')], [say('Done.')]],
      async () => ({ ok: true, result }),
      undefined,
      4_000,
    );
    const { toolCalls } = await turn.outcome;
    const shown = turn.requests[1]?.messages.slice(-2).map(({ content }) => content.length);
    expect(shown?.every((length) => length < 1_000)).toBe(true);
    expect(toolCalls?.[0]?.output).toContain(result);
  });

  it('executes the calls of one step concurrently', async () => {
    const started: string[] = [];
    const bothStarted = gate();
    const turn = start([[call('scroll'), call('plot')], [say('Done.')]], async ({ toolName }) => {
      started.push(toolName);
      if (started.length === 2) bothStarted.open();
      await bothStarted.opened;
      return { ok: true, result: toolName };
    });
    expect(await turn.outcome).toMatchObject({ status: 'finished' });
    expect(turn.requests[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(['"scroll"', '"plot"']);
  });

  it('adds up the usage of its steps, and estimates missing usage', async () => {
    const counted: ModelPart = { type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } };
    const all = start(
      [
        [call('scroll'), counted],
        [say('Done.'), counted],
      ],
      async () => ({ ok: true, result: 1 }),
    );
    expect((await all.outcome).usage).toEqual({ inputTokens: 200, outputTokens: 20, isEstimated: false });
    const some = start([[call('scroll'), counted], [say('Done.')]], async () => ({ ok: true, result: 1 }));
    const { usage } = await some.outcome;
    expect(usage).toMatchObject({ isEstimated: true });
    expect(usage?.inputTokens).toBeGreaterThan(100);
    expect(usage?.outputTokens).toBeGreaterThan(10);
    const refused = start(
      [],
      async () => ({ ok: true, result: 1 }),
      () => {
        throw new Error('refused');
      },
    );
    expect((await refused.outcome).usage).toBeUndefined();
  });

  it.each([
    [-500_000, 7],
    [1e15, 7],
    [1.5, 7],
    ['11', 7],
  ])('is charged by the estimate when its model reports %s and %s tokens', async (inputTokens, outputTokens) => {
    const usage = { inputTokens: inputTokens as number, outputTokens };
    const turn = start([[say('Done.'), { type: 'usage', usage }]], async () => ({ ok: true, result: 1 }));
    const { usage: charged } = await turn.outcome;
    expect(charged?.isEstimated).toBe(true);
    expect(charged?.inputTokens).toBeGreaterThan(0);
    expect(charged?.inputTokens).toBeLessThan(1_000);
  });

  it('publishes reasoning separately from the answer', async () => {
    const turn = start([[{ type: 'reasoning', delta: 'Hm.' }, say('Yes.')]], async () => ({ ok: true, result: null }));
    expect(await turn.outcome).toMatchObject({ content: 'Yes.', reasoning: 'Hm.' });
    const told = turn.events.filter(({ event }) => event === 'reasoning').map(({ data }) => data);
    expect(told).toMatchObject([
      { reasoning: 'Hm.', isComplete: false },
      { reasoning: '', isComplete: true },
    ]);
  });

  it('separates the reasoning before a call from the reasoning after it', async () => {
    const thought = (delta: string): ModelPart => ({ type: 'reasoning', delta });
    const steps = [
      [thought('A '), thought('look.'), call('look')],
      [thought('Seen.'), say('Yes.')],
    ];
    const turn = start(steps, async () => ({ ok: true, result: null }));
    expect(await turn.outcome).toMatchObject({ content: 'Yes.', reasoning: 'A look.\n\nSeen.' });
  });
});
