import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { authOf, closeClients, listening, type Service, socketIoClient } from '../../sockets/sockets.fixture.js';
import { oracleWith } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';
import { tabTool } from '../api/plugin-kit.js';
import { defineTool } from '../api/plugin-tool.js';

const agActions = [{ name: 'pay', description: 'Pays', schema: {}, hasRender: true }];

let service: Service | undefined;
afterEach(async () => {
  closeClients();
  await service?.close();
  service = undefined;
});

/** The data of the frames of one event in a stream. */
const framesOf = (stream: string, event: string) =>
  [...stream.matchAll(/event: (\w+)\ndata: (.*)/g)]
    .filter(([, name]) => name === event)
    .map(([, , data = '']) => JSON.parse(data) as Record<string, unknown>);

describe('actions that a tab declares', () => {
  it('are emitted only as action_call, with the id of the call in the tab', async () => {
    service = await listening();
    const auth = await authOf('a');
    const headers = {
      authorization: `Bearer ${auth.invocation}`,
      'x-auth-type': 'ucan',
      'content-type': 'application/json',
    };
    const opened = await fetch(`${service.base}/sessions`, { method: 'POST', headers });
    const { sessionId } = (await opened.json()) as { sessionId: string };
    const tab = socketIoClient(service.base, sessionId, auth);
    await tab.next('connected');
    tab.socket.on('action_call', ({ toolCallId }: { toolCallId: string }) => {
      tab.socket.emit('action_call_result', { sessionId, toolCallId, result: { success: true } });
    });
    const body = JSON.stringify({ message: 'use the tool pay with {"kes": 5}', stream: true, agActions });
    const reply = await fetch(`${service.base}/messages/${sessionId}`, { method: 'POST', headers, body });
    const stream = await reply.text();
    const asked = await tab.next('action_call');
    const told = framesOf(stream, 'action_call');
    expect(told.map(({ status, toolCallId }) => [status, toolCallId])).toEqual([
      ['isRunning', asked['toolCallId']],
      ['done', asked['toolCallId']],
    ]);
    expect(framesOf(stream, 'tool_call')).toEqual([]);
  });

  it('are not offered if the plugin is off, while browser tools are', async () => {
    const { app, say, toolsSeen } = await oracleWith([], { features: { 'ag-ui': false } });
    await say('hello', { agActions, tools: [{ name: 'zoom', description: 'Zooms', schema: {} }] });
    expect(toolsSeen()).toContain('zoom');
    expect(toolsSeen()).not.toContain('pay');
    await app.close();
  });
});

describe("a tab's declarations", () => {
  it('can be handled by a custom plugin instead of the bundled ones', async () => {
    const maps = testPlugin('maps', {
      getRequestTools: ({ declared }) =>
        declared.actions.map((one) => tabTool(one, 'action', (emit, call) => emit.actionCall(call))),
    });
    const { app, follow } = await oracleWith([maps], { features: { 'ag-ui': false } });
    const stream = await follow('use the tool pay', { agActions });
    expect(framesOf(stream, 'action_call').map(({ status }) => status)).toEqual(['isRunning', 'error']);
    expect(stream).toContain('no browser tab of the user');
    await app.close();
  });
});

describe('an action that a plugin calls itself', () => {
  it("is emitted as a separate call, in addition to the tool's call", async () => {
    const paying = testPlugin('paying', {
      getTools: () => [
        defineTool({
          name: 'checkout',
          description: 'Checks out.',
          inputSchema: z.object({}),
          execute: async (_args, { emit }) => (await emit.actionCall({ toolName: 'pay', args: {} })).ok,
        }),
      ],
    });
    const { app, follow } = await oracleWith([paying]);
    const stream = await follow('use the tool checkout');
    expect(framesOf(stream, 'action_call').map(({ toolName, status }) => [toolName, status])).toEqual([
      ['pay', 'isRunning'],
      ['pay', 'error'],
    ]);
    expect(framesOf(stream, 'tool_call').map(({ toolName }) => toolName)).toEqual(['checkout', 'checkout']);
    await app.close();
  });
});
