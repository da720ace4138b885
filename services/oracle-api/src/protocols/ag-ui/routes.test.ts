import { type AgentSubscriber, HttpAgent, type Tool } from '@ag-ui/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../models/model-error.js';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { type DoorOptions, openDoor } from '../open-protocol.fixture.js';

// The client logs each failure to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

async function open(options: DoorOptions = {}) {
  const service = await openDoor('ag-ui', options);
  const agentOf = async (letter: string, threadId: string) => {
    const { authorization } = await service.headersOf(letter);
    return new HttpAgent({ url: `${service.base}/ag-ui`, headers: { authorization }, threadId });
  };
  return { ...service, agentOf };
}

/** Sends a message and returns its result with the kinds of the events in order. */
async function say(agent: HttpAgent, content: string, parameters: Parameters<HttpAgent['runAgent']>[0] = {}) {
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
  return run(agent, parameters);
}

async function run(agent: HttpAgent, parameters: Parameters<HttpAgent['runAgent']>[0] = {}) {
  const events: { readonly type: string; readonly outcome?: unknown }[] = [];
  const subscriber: AgentSubscriber = { onEvent: ({ event }) => void events.push(event) };
  const { newMessages } = await agent.runAgent(parameters, subscriber);
  const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
  const text = newMessages.flatMap((one) => (one.role === 'assistant' ? [one.content ?? ''] : [])).join('');
  return { newMessages, types, text, outcome: events.at(-1)?.outcome };
}

const zoom: Tool = {
  name: 'zoom',
  description: 'Zooms the page',
  parameters: { type: 'object', properties: { by: { type: 'number' } } },
};

describe('a run of AG-UI', () => {
  it('is streamed with its reasoning and tool calls, in a session that other APIs share', async () => {
    const { agentOf, listed } = await open();
    const agent = await agentOf('a', 'thread-1');
    agent.setState({ page: 'home' });
    const first = await say(agent, 'remember that I like tea');
    expect(first.types).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(first.outcome).toEqual({ type: 'success' });
    expect(agent.state).toMatchObject({ page: 'home', oracle: { session: 'thread-1', run: expect.any(String) } });
    expect((await say(agent, 'say: hello')).text).toBe('hello');
    const said = await listed('a', 'thread-1');
    expect(said.map(({ content }) => content)).toEqual(['remember that I like tea', first.text, 'say: hello', 'hello']);
  });

  it("ends with the page's tool calls, and continues with their results", async () => {
    const { agentOf, listed } = await open();
    const agent = await agentOf('a', 'thread-2');
    const asked = await say(agent, 'use the tool zoom with {"by":2}', { tools: [zoom] });
    const call = asked.newMessages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))[0];
    expect(call?.function).toEqual({ name: 'zoom', arguments: '{"by":2}' });
    expect(asked.types).not.toContain('TOOL_CALL_RESULT');
    expect(asked.outcome).toEqual({ type: 'success' });
    agent.addMessage({ id: 'result', role: 'tool', toolCallId: call?.id ?? '', content: 'zoomed twice' });
    expect((await run(agent, { tools: [zoom] })).text).toContain('zoomed twice');
    const [, answer] = await listed('a', 'thread-2');
    expect(answer?.toolCalls).toMatchObject([{ name: 'zoom', status: 'done', output: '"zoomed twice"' }]);
  });

  it('continues when its reader disconnects, and is replayed from its beginning on request', async () => {
    const hold = gate();
    const { agentOf, listed } = await open({ model: scriptedModel(['Well, ', hold.opened, 'here it is.']).model });
    const agent = await agentOf('a', 'thread-3');
    const stop: AgentSubscriber = { onTextMessageContentEvent: () => agent.abortRun() };
    agent.addMessage({ id: '1', role: 'user', content: 'hi' });
    await agent.runAgent({ runId: 'run-3' }, stop).catch(() => undefined);
    const again = await agentOf('a', 'thread-3');
    const reading = say(again, 'hi', { runId: 'run-3' });
    hold.open();
    expect((await reading).text).toBe('Well, here it is.');
    const late = await agentOf('a', 'thread-3');
    expect((await say(late, 'hi', { runId: 'run-3' })).text).toBe('Well, here it is.');
    expect(await listed('a', 'thread-3')).toHaveLength(2);
  });

  it('ends as cancelled if it is stopped', async () => {
    const hold = gate();
    const { agentOf, own } = await open({ model: scriptedModel(['Well, ', hold.opened, 'never said']).model });
    const agent = await agentOf('a', 'thread-4');
    const running = say(agent, 'hi');
    await vi.waitFor(() => expect(agent.messages.at(-1)?.content).toBe('Well, '));
    await own('a', '/messages/abort', 'POST', { sessionId: 'thread-4' });
    expect((await running).outcome).toEqual({ type: 'cancelled' });
    hold.open();
  });

  it('accepts results before the next user message', async () => {
    const { agentOf, listed } = await open();
    const agent = await agentOf('a', 'app:thread.7/日本 1');
    const asked = await say(agent, 'use the tool zoom with {"by":2}', { tools: [zoom] });
    const call = asked.newMessages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))[0];
    agent.addMessage({ id: 'result', role: 'tool', toolCallId: call?.id ?? '', content: 'zoomed twice' });
    expect((await say(agent, 'say: next', { tools: [zoom] })).text).toBe('next');
    const { session } = (agent.state as { oracle: { session: string } }).oracle;
    expect(session, 'a thread id of any characters names a session').toMatch(/^named-/);
    const [, answer] = await listed('a', session);
    expect(answer?.toolCalls).toMatchObject([{ name: 'zoom', status: 'done', output: '"zoomed twice"' }]);
    expect((await say(await agentOf('a', 'app:thread.7/日本 1'), 'What did I say first?')).text).toContain('zoom');
  });

  it('belongs to its user, also if another user has a thread of that id', async () => {
    const { agentOf, listed } = await open();
    await say(await agentOf('a', 'thread-5'), 'hi', { runId: 'run-5' });
    const juma = await agentOf('j', 'thread-5');
    expect((await say(juma, 'say: mine', { runId: 'run-5' })).text).toBe('mine');
    expect((await say(juma, 'What did I say first?')).text).toContain('say: mine');
    expect(juma.state).toMatchObject({ oracle: { session: expect.stringMatching(/^named-/) } });
    expect(await listed('j', juma.state.oracle.session)).toHaveLength(4);
    expect(await listed('j', 'thread-5')).toEqual([]);
    expect(await listed('a', 'thread-5')).toHaveLength(2);
  });

  it('reports a failed model and unsupported input', async () => {
    const broken = new ModelError('server', 'The model is away.', { retryable: true });
    const { agentOf } = await open({ model: scriptedModel(['Well', broken]).model });
    const agent = await agentOf('a', 'thread-6');
    const failed = vi.fn<NonNullable<AgentSubscriber['onRunErrorEvent']>>();
    agent.addMessage({ id: '1', role: 'user', content: 'hi' });
    await agent.runAgent({}, { onRunErrorEvent: failed }).catch(() => undefined);
    expect(failed.mock.calls[0]?.[0].event).toMatchObject({ message: 'The model is away.', code: 'server' });
    const mute = await agentOf('a', 'thread-7');
    await expect(mute.runAgent()).rejects.toMatchObject({ status: 400 });
    mute.addMessage({ id: 'r', role: 'tool', toolCallId: 'none', content: '1' });
    await expect(mute.runAgent()).rejects.toMatchObject({ status: 400 });
  });
});
