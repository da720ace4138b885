import { HttpAgent } from '@ag-ui/client';
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import { defineTool } from '../src/plugins/api/plugin-tool.js';

const showing = defineTool({
  name: 'show',
  description: 'Shows a map.',
  inputSchema: z.object({}),
  async execute(_input, { emit, toolCallId }) {
    await emit.renderComponent({
      componentName: 'Map',
      args: { place: 'Lusaka' },
      status: 'isRunning',
      eventId: toolCallId,
    });
    await emit.renderComponent({
      componentName: 'Map',
      args: { place: 'Lusaka' },
      status: 'done',
      eventId: toolCallId,
    });
    return 'shown';
  },
});

let oracle: TestOracle;
let url: string;
let user: TestUser;
beforeAll(async () => {
  const plugins = [testPlugin('maps', { getTools: () => [showing] })];
  oracle = await createTestOracle({ plugins, env: { DOORS: 'ai-sdk,ag-ui' } });
  url = await oracle.listen();
  user = await oracle.newUser();
});
afterAll(() => oracle.close());

const message = 'use the tool show with {}';
const map = (status: string) => ({ componentName: 'Map', args: { place: 'Lusaka' }, status });

/** The last state of a streamed message. */
async function messageIn(stream: Awaited<ReturnType<DefaultChatTransport<UIMessage>['sendMessages']>> | null) {
  let last: UIMessage | undefined;
  if (stream !== null) for await (const message of readUIMessageStream({ stream })) last = message;
  return last;
}

describe('a component of a tool', { timeout: 60_000 }, () => {
  it('is a part of the answer for clients of the AI SDK, once, at the place of its call', async () => {
    const transport = new DefaultChatTransport<UIMessage>({ api: `${url}/api/chat`, headers: { ...user.headers } });
    const messages: UIMessage[] = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: message }] }];
    const submission = { chatId: 'maps', messages, messageId: undefined, trigger: 'submit-message' as const };
    const answer = await messageIn(await transport.sendMessages({ ...submission, abortSignal: undefined }));
    const shown = answer?.parts.filter(({ type }) => type === 'data-component');
    expect(shown).toMatchObject([{ type: 'data-component', data: map('done') }]);
    const kinds = answer?.parts.map(({ type }) => type) ?? [];
    expect(kinds.indexOf('data-component')).toBe(kinds.indexOf('dynamic-tool') + 1);
  });

  it('is a separate event for clients of AG-UI', async () => {
    const agent = new HttpAgent({ url: `${url}/ag-ui`, headers: { ...user.headers }, threadId: 'more-maps' });
    agent.addMessage({ id: 'm', role: 'user', content: message });
    const shown: unknown[] = [];
    await agent.runAgent({}, { onCustomEvent: ({ event }) => void shown.push([event.name, event.value]) });
    expect(shown).toEqual([
      ['render_component', map('isRunning')],
      ['render_component', map('done')],
    ]);
  });

  it('is sent to sockets for clients of the REST API, not in the stream', async () => {
    const session = await user.openSession();
    const payload = { message: message, stream: true };
    const reply = await oracle.inject({ method: 'POST', url: `/messages/${session}`, headers: user.headers, payload });
    const events = [...reply.body.matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
    expect(events.filter((event) => event === 'tool_call')).toHaveLength(2);
    expect(events).not.toContain('render_component');
  });
});
