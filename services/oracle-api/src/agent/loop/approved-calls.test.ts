import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../models/language-model.js';
import { gate } from '../../models/scripted-model.fixture.js';
import { noTelemetry } from '../telemetry.js';
import { Turn } from '../turn.js';
import { executeApprovedCalls } from './approved-calls.js';
import type { CallApproval, CallOutcome, CallRecord } from './call-records.js';
import type { LoopParts } from './model-step.js';
import type { TurnTool } from './turn-tool.js';

const model: LanguageModel = { id: 'm', label: 'M', stream: () => Promise.reject(new Error('not requested')) as never };

const recordOf = (id: string, state: CallApproval['state'] = 'allowed'): CallRecord => ({
  id,
  name: 'pay',
  plugin: 'bank',
  args: { to: id },
  approval: { title: 'Pay', reason: 'It costs money.', fingerprint: 'pay', state },
});

/** A resumed turn whose two calls were decided, and a store that fails as the test says. */
function setUp(records: readonly CallRecord[], failing: Partial<LoopParts['calls']>, call: TurnTool['call']) {
  const ended = new Map<string, CallOutcome>();
  const logged: string[] = [];
  const calls = {
    ofRun: async () => records,
    beginApproved: async () => true,
    end: async (_run: unknown, id: string, outcome: CallOutcome) => void ended.set(id, outcome),
    ...failing,
  };
  const parts = {
    calls,
    events: { publish: () => undefined, room: async () => undefined },
    log: { error: (_: object, text: string) => void logged.push(text) },
    telemetry: noTelemetry,
    approvalMs: 60_000,
  } as unknown as LoopParts;
  const pay: TurnTool = {
    kind: 'tool',
    plugin: 'bank',
    name: 'pay',
    definition: { name: 'pay', description: 'Pays', schema: {} },
    isHarmless: () => false,
    fingerprint: 'pay',
    approvalFor: async () => undefined,
    call,
  };
  const request = { ownerDid: 'did:key:asha', sessionId: 's', requestId: 'q', message: 'hi', isFollowed: false, model };
  const toolCalls = records.map(({ id, name, args }) => ({ id, name, args, status: 'waiting' as const, at: 0 }));
  const answer = {
    messageId: 'q',
    turnId: 'run-1',
    type: 'ai' as const,
    content: '',
    toolCalls,
    createdAt: new Date(0),
  };
  const state = { modelId: 'm', saidChars: 0, messages: [], steps: 1, pauses: 1 };
  const turn = new Turn(request, 'run-1', { state, answer, textEnds: undefined });
  return { turn, ended, logged, execute: () => executeApprovedCalls(turn, [pay], parts) };
}

describe('the approved calls of a resumed turn', () => {
  it('keep their outcomes when the begin of another one cannot be recorded', async () => {
    const { opened, open } = gate();
    const beginApproved = async (_run: unknown, id: string) => {
      if (id === 'call-1') throw new Error('database away');
      return true;
    };
    const paid: string[] = [];
    const { turn, ended, logged, execute } = setUp(
      [recordOf('call-1'), recordOf('call-2')],
      { beginApproved },
      async (_, { toolCallId }) => {
        await opened;
        paid.push(toolCallId);
        return { ok: true, result: 'paid' };
      },
    );
    const executed = execute();
    executed.catch(() => undefined);
    await setImmediate();
    open();
    expect(await executed).toMatchObject([
      { id: 'call-1', status: 'unknown', output: expect.stringContaining('Do not repeat it') },
      { id: 'call-2', status: 'done', output: '"paid"' },
    ]);
    expect(turn.draft.toolCalls.map(({ id, status }) => [id, status])).toEqual([
      ['call-1', 'unknown'],
      ['call-2', 'done'],
    ]);
    expect(paid).toEqual(['call-2']);
    expect([...ended]).toEqual([['call-2', { status: 'done', output: '"paid"', isOwn: undefined }]]);
    expect(logged).toEqual(['approved tool call failed, outcome unknown']);
  });

  it('keep a denial that cannot be recorded', async () => {
    const end = () => Promise.reject(new Error('database away'));
    const { turn, logged, execute } = setUp([recordOf('call-1', 'denied'), recordOf('call-2')], { end }, async () => ({
      ok: true,
      result: 'paid',
    }));
    await execute();
    expect(turn.draft.toolCalls.map(({ id, status }) => [id, status])).toEqual([
      ['call-1', 'error'],
      ['call-2', 'done'],
    ]);
    expect(turn.draft.toolCalls[0]?.output).toContain('the user did not allow it');
    expect(logged).toEqual(['tool call outcome not recorded', 'tool call outcome not recorded']);
  });
});
