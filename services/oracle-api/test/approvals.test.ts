import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AskUser, definePlugin, defineTool } from '../src/plugins/api/plugin-kit.js';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import { at, type BankOptions, bank, open, type Payment } from './bank-with-approvals.fixture.js';

const framesIn = (text: string) =>
  parseSse(text).map(({ data, ...frame }) => ({ ...frame, data: JSON.parse(data) as Record<string, unknown> }));

/** Events in order; consecutive text events count once. */
const eventNames = (frames: readonly { readonly event: string }[]) =>
  frames.map(({ event }) => event).filter((event, place, all) => event !== 'reasoning' && event !== all[place - 1]);

async function setUp(options: BankOptions = {}, env: Record<string, string> = {}) {
  const paid: Payment[] = [];
  const oracle = await open([bank(paid, options)], env);
  const user = await oracle.newUser();
  return { paid, oracle, user, session: await user.openSession(), ...at(oracle, user) };
}

describe('a call that needs approval', () => {
  it('is pending, is reported, and is executed once after its approval', async () => {
    const { paid, oracle, user, session, ...me } = await setUp();
    const sent = await me.pay(session, 5);
    expect(sent.body.message.content).toContain('This waits for your approval:\n- pay {"amount":5}');
    expect(await me.runOf(session)).toMatchObject({ status: 'waiting' });
    expect(await me.answer(session)).toMatchObject({ toolCalls: [{ name: 'pay', status: 'waiting' }] });
    const [call] = await me.waiting();
    expect(call).toMatchObject({ toolName: 'pay', plugin: 'bank', args: { amount: 5 }, title: 'pay' });
    expect(paid).toEqual([]);
    const settled = await Promise.all([
      me.settle({ decision: 'allow', args: { amount: 5 } }, call),
      me.settle({ decision: 'allow' }, call),
    ]);
    expect(settled.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([200, 409]);
    await me.ended(session);
    expect(paid).toEqual([{ amount: 5, key: `${call?.runId}/${call?.toolCallId}` }]);
    const { content, toolCalls } = await me.answer(session);
    expect(toolCalls).toMatchObject([{ name: 'pay', status: 'done', output: '{"paid":5}' }]);
    expect(content).toMatch(/^This waits .*\n\n.*paid/s);
    expect(await me.settle({ decision: 'deny' }, call)).toMatchObject({ code: 409, body: { decision: 'allow' } });
    expect(await me.waiting()).toEqual([]);
    await user.say('hello', session);
    expect(oracle.plugins.status().find(({ name }) => name === 'bank')?.failures).toBe(0);
  });

  it('is reported in the stream, which continues with the same run', async () => {
    const { paid, oracle, user, session, ...me } = await setUp();
    const payload = { message: 'use the tool pay with {"amount":5}', stream: true };
    const first = framesIn(
      (await oracle.inject({ method: 'POST', url: `/messages/${session}`, headers: user.headers, payload })).body,
    );
    expect(eventNames(first)).toEqual(['run', 'message', 'approval_request', 'done']);
    expect(first.at(-2)?.data).toMatchObject({
      toolName: 'pay',
      args: { amount: 5 },
      plugin: 'bank',
      expiresAt: expect.any(String),
    });
    expect(first.at(-1)?.data).toMatchObject({ status: 'waiting', messageId: expect.any(String) });
    const [call] = await me.waiting();
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    const rest = await oracle.inject({ url: `/runs/${call?.runId}?after=${first.at(-1)?.id}`, headers: user.headers });
    const events = framesIn(rest.body);
    expect(eventNames(events)).toEqual(['run', 'tool_call', 'message', 'done']);
    expect(events.find(({ data }) => 'output' in data)?.data).toMatchObject({
      status: 'done',
      eventId: call?.toolCallId,
      output: '{"paid":5}',
    });
    expect(events.at(-1)?.data).toMatchObject({ status: 'finished' });
    expect(paid).toHaveLength(1);
  });

  it.each(['Too much.', 'Too much'])(
    'is not executed after a denial, and the model gets the reason: %s',
    async (reason) => {
      const { paid, session, ...me } = await setUp();
      await me.pay(session, 5);
      expect(await me.settle({ decision: 'deny', reason })).toMatchObject({ code: 200 });
      await me.ended(session);
      const { toolCalls } = await me.answer(session);
      const denial = expect.stringContaining('They say: Too much. Nothing has happened.');
      expect(toolCalls).toMatchObject([{ status: 'error', output: denial }]);
      expect(paid).toEqual([]);
    },
  );

  it('belongs to its owner, and an approval with other arguments is refused', async () => {
    const { paid, oracle, session, ...me } = await setUp();
    await me.pay(session, 5);
    const [call] = await me.waiting();
    const other = at(oracle, await oracle.newUser());
    expect(await other.waiting()).toEqual([]);
    expect((await other.settle({ decision: 'allow' }, call)).code).toBe(404);
    expect((await me.settle({ decision: 'allow', args: { amount: 6 } }, call)).code).toBe(409);
    expect((await me.settle({ decision: 'maybe' }, call)).code).toBe(400);
    expect((await me.request('POST', '/runs/none/approvals/none', { decision: 'allow' })).code).toBe(404);
    expect((await me.settle({ decision: 'allow', args: { amount: 5 } }, call)).code).toBe(200);
    await me.ended(session);
    expect(paid).toHaveLength(1);
  });

  it('is executed with the arguments changed by the user, and the model gets the change', async () => {
    const { paid, user, session, ...me } = await setUp();
    await me.pay(session, 5);
    const [call] = await me.waiting();
    for (const decision of ['deny', 'always']) {
      expect((await me.settle({ decision, changed: { amount: 3 } }, call)).code).toBe(400);
    }
    expect((await me.settle({ decision: 'allow', args: { amount: 4 }, changed: { amount: 3 } }, call)).code).toBe(409);
    const decision = { decision: 'allow', args: { amount: 5 }, changed: { amount: 3 } };
    expect(await me.settle(decision, call)).toMatchObject({ code: 200 });
    await me.ended(session);
    expect(paid).toEqual([{ amount: 3, key: `${call?.runId}/${call?.toolCallId}` }]);
    const { content, toolCalls } = await me.answer(session);
    expect(toolCalls).toMatchObject([{ name: 'pay', args: { amount: 3 }, status: 'done', output: '{"paid":3}' }]);
    expect(content).toContain('The user changed the arguments to {"amount":3}');
    await user.say('hello', session);
  });

  it('is not executed with invalid changed arguments', async () => {
    const { paid, session, ...me } = await setUp();
    await me.pay(session, 5);
    await me.settle({ decision: 'allow', changed: { amount: 'all' } });
    await me.ended(session);
    expect(paid).toEqual([]);
    expect((await me.answer(session)).toolCalls).toMatchObject([
      { status: 'error', output: expect.stringContaining('The arguments do not fit') },
    ]);
  });

  it('is checked once: after its approval neither the tool nor the policy is evaluated again', async () => {
    let requests = 0;
    const { paid, session, ...me } = await setUp({ needsApproval: () => ++requests === 1 });
    await me.pay(session, 5);
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    expect([paid.length, requests]).toEqual([1, 1]);
  });

  it('can be suspended again by its tool, on other terms', async () => {
    let price = 10;
    const terms: number[] = [];
    const { paid, session, ...me } = await setUp({
      before: () => {
        terms.push(price);
        if (price === 12 && terms.length === 1) throw new AskUser({ title: 'Pay', reason: 'The price rose to 12.' });
      },
    });
    await me.pay(session, 5);
    price = 12;
    await me.settle({ decision: 'allow' });
    await me.ended(session, 'waiting');
    await expect.poll(async () => (await me.waiting())[0]?.reason).toBe('The price rose to 12.');
    expect(paid).toEqual([]);
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    expect(paid).toHaveLength(1);
  });

  it('is always allowed after the user chose "always", until the user removes the rule', async () => {
    const { paid, session, ...me } = await setUp();
    await me.pay(session, 1);
    await me.settle({ decision: 'always' });
    await me.ended(session);
    await me.pay(session, 2);
    expect(paid.map(({ amount }) => amount)).toEqual([1, 2]);
    const { rules } = (await me.request('GET', '/approvals/always')).body;
    expect(rules).toMatchObject([{ plugin: 'bank', toolName: 'pay' }]);
    expect((await me.request('DELETE', `/approvals/always/${rules[0].id}`)).body).toEqual({ ok: true });
    expect((await me.request('DELETE', `/approvals/always/${rules[0].id}`)).code).toBe(404);
    await me.pay(session, 3);
    expect(paid).toHaveLength(2);
    expect(await me.waiting()).toHaveLength(1);
  });

  it('is cancelled with its turn, and does not block later messages', async () => {
    const { paid, user, session, ...me } = await setUp();
    await me.pay(session, 5);
    await user.say('hello', session);
    expect(await me.waiting()).toHaveLength(1);
    expect((await me.request('POST', '/messages/abort', { sessionId: session })).body).toEqual({ success: true });
    expect(await me.waiting()).toEqual([]);
    await expect
      .poll(async () => JSON.stringify((await me.request('GET', `/messages/${session}`)).body))
      .not.toContain('"waiting"');
    expect(paid).toEqual([]);
  });

  it('needs approval by setting, and in production if its effects leave the service', async () => {
    const notes: string[] = [];
    const notebook = definePlugin({
      name: 'notebook',
      version: '1.0.0',
      manifest: { title: 'Notes', summary: 'Keeps notes.', whenToUse: 'a note is to be kept.', visibility: 'always' },
      getTools: () =>
        (['inside', 'outside'] as const).map((effects) =>
          defineTool({
            name: `note_${effects}`,
            description: 'Keeps a note.',
            effects,
            inputSchema: z.object({ text: z.string() }),
            execute: ({ text }) => notes.push(text),
          }),
        ),
    });
    const oracle = await open([notebook], { TOOL_APPROVAL: 'note_in*=ask' });
    const user = await oracle.newUser();
    expect((await user.callTool('note_inside', { text: 'a' })).status).toBe('waiting');
    expect((await user.callTool('note_outside', { text: 'b' })).status).toBe('done');
    expect(notes).toEqual(['b']);
  });
});
