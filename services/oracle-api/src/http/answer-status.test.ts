import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../create-test-oracle.js';
import type { LanguageModel } from '../models/language-model.js';
import { testTool } from '../plugins/api/oracle-with.fixture.js';
import { testPlugin } from '../plugins/api/plugin.fixture.js';

/** A model that follows the instruction in the message. */
const model: LanguageModel = {
  id: 'obedient',
  label: 'Obedient',
  async *stream({ messages }, signal) {
    const asked = messages.findLast(({ role }) => role === 'user')?.content;
    const hasCalled = messages.at(-1)?.role === 'tool';
    if (asked === 'pay' && !hasCalled) return yield { type: 'tool_call', call: { name: 'pay', args: {} } };
    yield { type: 'text', delta: asked === 'go on for ever' ? 'x'.repeat(250_000) : 'so far' };
    if (asked === 'fail') throw new Error('secret');
    if (asked === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
};

let oracle: TestOracle;
let user: TestUser;
beforeAll(async () => {
  const pay = { ...testTool('pay'), needsApproval: true as const };
  oracle = await createTestOracle({ model, plugins: [testPlugin('paying', { getTools: () => [pay] })] });
  user = await oracle.newUser();
}, 60_000);
afterAll(() => oracle.close());

const post = (url: string, payload: object) => oracle.inject({ method: 'POST', url, headers: user.headers, payload });
const get = (url: string) => oracle.inject({ url, headers: user.headers });

async function listed(sessionId: string) {
  const { messages } = (await get(`/messages/${sessionId}`)).json<{ messages: Record<string, unknown>[] }>();
  expect(messages[0]).not.toHaveProperty('status');
  return messages[1];
}

describe('the status of an answer', () => {
  it.each([
    ['say', { status: 'finished', content: 'so far' }],
    ['go on for ever', { status: 'finished', finishReason: 'length' }],
  ])('is in the reply and in the stored answer after the turn has ended: %s', async (message, { status, ...words }) => {
    const sessionId = await user.openSession();
    const reply = await post(`/messages/${sessionId}`, { message });
    expect(reply.json()).toMatchObject({ status, message: words });
    expect(await listed(sessionId)).toMatchObject({ status, ...words });
  });

  it('is stored after the user has stopped the turn', async () => {
    const sessionId = await user.openSession();
    const sent = post(`/messages/${sessionId}`, { message: 'hang' });
    const abort = async () => (await post('/messages/abort', { sessionId })).json<{ success: boolean }>();
    await vi.waitFor(async () => expect(await abort()).toEqual({ success: true }), 10_000);
    expect((await sent).json()).toMatchObject({ status: 'aborted' });
  });

  it('has the error and the run of a failed turn, without the cause', async () => {
    const sessionId = await user.openSession();
    const reply = await post(`/messages/${sessionId}`, { message: 'fail' });
    expect(reply.json()).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'Internal server error',
      status: 'failed',
      runId: expect.any(String),
    });
    expect(await listed(sessionId)).toMatchObject({ status: 'failed', content: 'so far' });
  });

  it('is waiting while a call needs approval, and then the result of the decision', async () => {
    const sessionId = await user.openSession();
    const sent = await post(`/messages/${sessionId}`, { message: 'pay' });
    expect(sent.json()).toMatchObject({ status: 'waiting' });
    expect(await listed(sessionId)).toMatchObject({ status: 'waiting' });
    const { approvals } = (await get('/approvals')).json<{ approvals: { runId: string; toolCallId: string }[] }>();
    await post(`/runs/${approvals[0]?.runId}/approvals/${approvals[0]?.toolCallId}`, { decision: 'allow' });
    await vi.waitFor(async () => expect(await listed(sessionId)).toMatchObject({ status: 'finished' }), 10_000);
  });
});
