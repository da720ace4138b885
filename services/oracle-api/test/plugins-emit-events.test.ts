import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import { defineTool } from '../src/plugins/api/plugin-tool.js';
import { closeClients, plainClient, socketIoClient } from '../src/sockets/sockets.fixture.js';

/** A plugin with a tool that emits every kind of event. */
const telling = testPlugin('telling', {
  getTools: () => [
    defineTool({
      name: 'tell',
      description: 'Tells.',
      inputSchema: z.object({}),
      async execute(_args, { emit }) {
        await emit.router({ step: 'to the weather agent' });
        await emit.toolCall({ toolName: 'inner', args: { x: 1 }, status: 'isRunning', eventId: 'e1' });
        await emit.toolCall({ toolName: 'inner', args: { x: 1 }, status: 'done', eventId: 'e1', output: '"y"' });
        await emit.renderComponent({ componentName: 'Chart', args: { points: [1, 2] }, eventId: 'e2' });
        const page = await emit.browserToolCall({ toolName: 'read_page', args: { part: 'title' } });
        const shown = await emit.actionCall({ toolName: 'show_map', args: { place: 'Mombasa' } });
        return { page, shown };
      },
    }),
  ],
});

let oracle: TestOracle;
let base: string;
let user: TestUser;
beforeAll(async () => {
  oracle = await createTestOracle({ plugins: [telling] });
  base = await oracle.listen();
  user = await oracle.newUser();
});
afterEach(closeClients);
afterAll(() => oracle.close());

const tokenOf = ({ headers }: TestUser) => ({ invocation: String(headers['authorization']).replace('Bearer ', '') });

async function tab(sessionId: string, somebody = user) {
  const opened = socketIoClient(base, sessionId, tokenOf(somebody));
  await opened.next('connected');
  return opened;
}

describe('events of rtCtx.emit', () => {
  it('reach the sockets of their session, each under its name, and one socket answers the calls', async () => {
    const sessionId = await user.openSession();
    const watching = plainClient(base, sessionId, tokenOf(user));
    await watching.next('connected');
    const answering = await tab(sessionId);
    const { socket, received } = answering;
    socket.on('browser_tool_call', ({ toolCallId }: { toolCallId: string }) => {
      socket.emit('tool_result', { toolCallId, result: 'Prices' });
    });
    socket.on('action_call', ({ toolCallId, status }: { toolCallId: string; status: string }) => {
      if (status === 'isRunning') socket.emit('action_call_result', { sessionId, toolCallId, result: { ok: true } });
    });
    const { output } = await user.callTool('tell', {}, sessionId);
    expect(output).toEqual({ page: { ok: true, result: 'Prices' }, shown: { ok: true, result: { ok: true } } });
    await answering.next('message_cache_invalidation');
    await watching.next('message_cache_invalidation');
    const place = { sessionId, requestId: expect.any(String) };
    const eventsOfPlugin = {
      router_update: { ...place, step: 'to the weather agent' },
      render_component: { ...place, componentName: 'Chart', args: { points: [1, 2] }, eventId: 'e2', at: 0 },
    };
    for (const client of [received, watching.received]) {
      for (const [event, data] of Object.entries(eventsOfPlugin)) expect(client).toContainEqual({ event, data });
      const inner = client.filter(({ event, data }) => event === 'tool_call' && data['toolName'] === 'inner');
      expect(inner.map(({ data }) => data)).toEqual([
        { ...place, toolName: 'inner', args: { x: 1 }, status: 'isRunning', eventId: 'e1' },
        { ...place, toolName: 'inner', args: { x: 1 }, status: 'done', eventId: 'e1', output: '"y"' },
      ]);
    }
    const calls = received.filter(({ event }) => event === 'browser_tool_call');
    expect(calls.map(({ data }) => data)).toEqual([
      { ...place, toolCallId: expect.any(String), toolName: 'read_page', args: { part: 'title' } },
    ]);
    expect(watching.received.map(({ event }) => event)).not.toContain('browser_tool_call');
  });

  it('reach no other session of the same user', async () => {
    const [here, there] = [await user.openSession(), await user.openSession()];
    const stranger = await oracle.newUser();
    const [otherSession, strangers] = [await tab(there), await tab(await stranger.openSession(), stranger)];
    await user.callTool('tell', {}, here);
    // This event follows all earlier ones.
    for (const other of [otherSession, strangers]) {
      other.socket.emit('ping');
      await other.next('pong');
      expect(other.received.map(({ event }) => event)).toEqual(['connected', 'pong']);
    }
  });
});
