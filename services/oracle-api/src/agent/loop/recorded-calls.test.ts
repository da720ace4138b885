import { describe, expect, it } from 'vitest';
import { openTestStores, type TestStores } from '../../../test/stores.fixture.js';
import type { LanguageModel, ModelPart, ModelRequest } from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import { runHi } from '../run-turn.fixture.js';
import type { FrontendAnswer, ToolCallContext, TurnTool } from './turn-tool.js';

const call = (name: string, args: Record<string, unknown> = {}): ModelPart => ({
  type: 'tool_call',
  call: { name, args },
});
const say = (delta: string): ModelPart => ({ type: 'text', delta });
const fine: FrontendAnswer = { ok: true, result: 1 };

const unavailable = new ModelError('server', 'Away. Please send the message again.', { retryable: true });

type Execute = (context: ToolCallContext) => Promise<FrontendAnswer>;

const toolOf = (name: string, execute: Execute, more: Partial<TurnTool> = {}): TurnTool => ({
  kind: 'tool',
  plugin: 'bank',
  name,
  definition: { name, description: name, schema: {} },
  isHarmless: () => false,
  fingerprint: name,
  approvalFor: async () => undefined,
  call: (_, context) => execute(context),
  ...more,
});

/** Each inner list is the output of one model request; at the end of the script the model fails. */
function run(script: ModelPart[][], tools: readonly TurnTool[], stores?: TestStores) {
  let asked = 0;
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] });
      const step = script[asked++];
      if (step === undefined) throw unavailable;
      yield* step;
    },
  };
  return { ...runHi(model, tools, undefined, stores), requests };
}

describe('a call of a tool', () => {
  it('is recorded before it is made, and then with its outcome', async () => {
    const stores = await openTestStores();
    const { calls: records } = stores;
    const known: unknown[] = [];
    const look = async ({ toolCallId }: ToolCallContext) => {
      const made = await records.ofRun({ runId: 'run-1', ownerDid: '', sessionId: '', requestId: '' });
      known.push(...made.filter(({ id }) => id === toolCallId));
      return fine;
    };
    const fails = () => Promise.reject(new Error('no'));
    const tools = [toolOf('pay', look), toolOf('plot', look, { kind: 'action' }), toolOf('break', fails)];
    const turn = run(
      [[call('pay', { amount: 5 }), call('plot'), call('break'), call('nothing')], [say('Done.')]],
      tools,
      stores,
    );
    expect(await turn.outcome).toMatchObject({ status: 'finished' });
    expect(known).toEqual([
      { id: 'call-1', plugin: 'bank', name: 'pay', args: { amount: 5 } },
      { id: 'call-2', plugin: 'bank', name: 'plot', kind: 'action', args: {} },
    ]);
    const made = await records.ofRun(turn.turn.run);
    expect(made.map(({ name, outcome }) => [name, outcome?.status, outcome?.output])).toEqual([
      ['pay', 'done', '1'],
      ['plot', 'done', '1'],
      ['break', 'error', expect.stringContaining('failed')],
    ]);
  });

  it('is not made when it cannot be recorded', async () => {
    const stores = await openTestStores();
    const { calls: records } = stores;
    records.begin = () => Promise.reject(new Error('away'));
    let isMade = false;
    const pay = toolOf('pay', async () => {
      isMade = true;
      return fine;
    });
    const turn = run([[call('pay')], [say('Sorry.')]], [pay], stores);
    expect(await turn.outcome).toMatchObject({ status: 'finished', content: 'Sorry.' });
    expect(isMade).toBe(false);
    expect(turn.requests[1]?.messages.at(-1)?.content).toContain('Nothing has happened');
  });

  it('has its own idempotency key', async () => {
    const keys: string[] = [];
    const pay = toolOf('pay', async ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return fine;
    });
    await run([[call('pay', { to: 'a' }), call('pay', { to: 'b' })], [say('Done.')]], [pay]).outcome;
    expect(keys).toEqual(['run-1/call-1', 'run-1/call-2']);
  });

  it('interrupted by the end of the turn has an unknown outcome there, and is recorded when it returns', async () => {
    let resolve: (answer: FrontendAnswer) => void = () => undefined;
    const promise = new Promise<FrontendAnswer>((settle) => {
      resolve = settle;
    });
    const stores = await openTestStores();
    const { calls: records } = stores;
    const stopping = (answer: Promise<FrontendAnswer>) => async () => {
      queueMicrotask(() => turn.turn.stop('aborted'));
      return answer;
    };
    const tools = [
      toolOf('pay', stopping(promise)),
      toolOf('look', () => new Promise(() => undefined), { isHarmless: () => true }),
    ];
    const turn: ReturnType<typeof run> = run([[call('pay'), call('look')]], tools, stores);
    const { status, toolCalls } = await turn.outcome;
    expect(status).toBe('aborted');
    expect(toolCalls).toMatchObject([
      { name: 'pay', status: 'unknown', output: expect.stringContaining('Do not repeat it') },
      { name: 'look', status: 'error', output: expect.stringContaining('no result') },
    ]);
    expect((await records.ofRun(turn.turn.run)).map(({ outcome }) => outcome)).toEqual([undefined, undefined]);
    resolve(fine);
    await expect.poll(async () => (await records.ofRun(turn.turn.run))[0]?.outcome).toMatchObject({ status: 'done' });
  });
});

describe('a turn with tool calls', () => {
  const pay = toolOf('pay', async () => fine);

  it('is finished without a closing text', async () => {
    const turn = run([[call('pay')], []], [pay]);
    expect(await turn.outcome).toMatchObject({ status: 'finished', content: '', messageId: 'req-1' });
    expect(turn.events.map(({ event }) => event)).not.toContain('error');
  });

  it('is not retryable when its model fails afterwards', async () => {
    const { status, failure, messageId } = await run([[call('pay')]], [pay]).outcome;
    expect({ status, messageId }).toEqual({ status: 'failed', messageId: 'req-1' });
    expect(failure).toMatchObject({ retryable: false, detail: expect.not.stringContaining('send the message again') });
  });

  it('is retryable when its calls were all invalid', async () => {
    const picky = toolOf('pay', async () => ({ ok: false, error: 'The arguments do not fit.', isBadCall: true }));
    expect(await run([[call('pay')]], [picky]).outcome).toMatchObject({ failure: { retryable: true } });
  });
});
