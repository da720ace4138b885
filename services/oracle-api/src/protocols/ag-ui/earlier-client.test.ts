import { HttpAgent } from 'ag-ui-client-0';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { type DoorOptions, openDoor } from '../open-protocol.fixture.js';

// The client logs each failure to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

async function open(options: DoorOptions = {}) {
  const service = await openDoor('ag-ui', options);
  const { authorization } = await service.headersOf('a');
  const agent = new HttpAgent({ url: `${service.base}/ag-ui`, headers: { authorization }, threadId: 'page:1.2' });
  const say = (content: string, parameters: Parameters<HttpAgent['runAgent']>[0] = {}) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    return agent.runAgent(parameters);
  };
  return { ...service, agent, say };
}

const parameters = { type: 'object', properties: { by: { type: 'number' } } };
const tools = [{ name: 'zoom', description: 'Zooms the page', parameters }];

/** Schemas of this version are strict: an event with an unknown field fails the run. */
describe('the AG-UI client that CopilotKit pins', () => {
  it('calls page tools, and sends the next message with their results', async () => {
    const { agent, say } = await open();
    await say('use the tool zoom with {"by":2}', { tools });
    const call = agent.messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))[0];
    expect(call?.function).toEqual({ name: 'zoom', arguments: '{"by":2}' });
    agent.addMessage({ id: 'result', role: 'tool', toolCallId: call?.id ?? '', content: 'zoomed twice' });
    const { newMessages } = await say('say: next', { tools });
    expect(newMessages).toMatchObject([{ role: 'assistant', content: 'next' }]);
  });

  it('continues after an abort, and reports a run that another client stopped', async () => {
    const hold = gate();
    const { agent, say, own } = await open({ model: scriptedModel(['Well, ', hold.opened, 'never said']).model });
    const ofAgent = { onTextMessageContentEvent: () => agent.abortRun() };
    agent.addMessage({ id: '1', role: 'user', content: 'hi' });
    await agent.runAgent({}, ofAgent).catch(() => undefined);
    const { session } = (agent.state as { oracle: { session: string } }).oracle;
    const failed = vi.fn<(event: object) => void>();
    agent.subscribe({ onRunErrorEvent: ({ event }) => failed(event) });
    const running = say('again').catch(() => undefined);
    await vi.waitFor(() => expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Well, ' }));
    await own('a', '/messages/abort', 'POST', { sessionId: session });
    await running;
    expect(failed.mock.calls[0]?.[0]).toMatchObject({ message: 'The run was stopped.', code: 'cancelled' });
    hold.open();
  });
});
