import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { headersOf } from '../../../test/app.fixture.js';
import { oracleWith } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';
import { defineTool, type ToolContext } from '../api/plugin-tool.js';
import type { RuntimeContext } from '../api/runtime-context.js';

describe('the context of a plugin in a turn', () => {
  it("has the user, the session, the message and the plugin's own settings", async () => {
    let seen: RuntimeContext | undefined;
    const plugin = testPlugin('watching', {
      getRequestTools: (context) => {
        seen = context;
        return [];
      },
    });
    const settings = new Map([['watching', { WATCHED: 'yes' }]]);
    const { app, say, session } = await oracleWith([plugin], { settings });
    await say('first');
    await say('second', {
      timezone: 'Africa/Nairobi',
      metadata: { spaceId: 's' },
      requestId: 'r-2',
      mcpInvocations: { echo: 'b2theQ==' },
    });
    expect(seen).toMatchObject({
      user: { did: expect.stringMatching(/^did:key:/), timezone: 'Africa/Nairobi', currentTime: expect.any(Date) },
      session: { id: session, requestId: 'r-2', metadata: { spaceId: 's' } },
      preferences: undefined,
      config: { WATCHED: 'yes' },
      shared: {},
    });
    expect(seen, 'tokens that it does not say it receives').not.toHaveProperty('mcpInvocations');
    expect(seen?.history.messages.map(({ content }) => content)).toEqual(['first', expect.any(String), 'second']);
    expect(seen?.history.recent(1).map(({ content }) => content)).toEqual(['second']);
    expect(await seen?.user.delegation()).toEqual({ authorized: false, reason: 'missing' });
    expect(await seen?.ucan.hasCapability({ can: 'mail/send', with: 'mailto:x' })).toBe(false);
    await expect(seen?.ucan.requireCapability({ can: 'mail/send', with: 'mailto:x' })).rejects.toThrow(
      'has not granted',
    );
    expect(seen?.ucan.hasSigningKey()).toBe(true);
    await app.close();
  });

  it('names the Matrix room that the session was created for, if there is one', async () => {
    const seen: RuntimeContext['session'][] = [];
    const getRequestTools = ({ session }: RuntimeContext) => {
      seen.push(session);
      return [];
    };
    const { app, say } = await oracleWith([testPlugin('watching', { getRequestTools })]);
    await say('hello');
    const headers = await headersOf('b');
    const opened = await app.inject({
      method: 'POST',
      url: '/sessions',
      headers,
      payload: { roomId: '!a:example.org' },
    });
    const url = `/messages/${opened.json<{ sessionId: string }>().sessionId}`;
    await app.inject({ method: 'POST', url, headers, payload: { message: 'hello', metadata: { roomId: '!b:x.org' } } });
    expect(seen.map(({ roomId }) => roomId)).toEqual([undefined, '!a:example.org']);
    await app.close();
  });

  it('has every member that the guide documents, each of its type', async () => {
    let request: RuntimeContext | undefined;
    let call: ToolContext | undefined;
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: (_args, context) => {
        call = context;
        return null;
      },
    });
    const getRequestTools = (context: RuntimeContext) => {
      request = context;
      return [];
    };
    const plugin = testPlugin('watching', { getRequestTools, getTools: () => [look] });
    const { app, say } = await oracleWith([plugin]);
    const tools = [{ name: 'zoom', description: 'Zooms', schema: {} }];
    const agActions = [{ name: 'pay', description: 'Pays', schema: {}, hasRender: true }];
    await say('call me Asha');
    await say('use the tool look', { tools, agActions });
    for (const context of [request, call]) {
      expect(context).toMatchObject({
        user: { did: expect.any(String), currentTime: expect.any(Date), delegation: expect.any(Function) },
        session: { id: expect.any(String), requestId: expect.any(String), metadata: {} },
        history: { messages: expect.any(Array), recent: expect.any(Function) },
        preferences: { userName: 'Asha' },
        config: {},
        declared: { tools, actions: agActions },
        emit: {
          toolCall: expect.any(Function),
          actionCall: expect.any(Function),
          renderComponent: expect.any(Function),
          reasoning: expect.any(Function),
          browserToolCall: expect.any(Function),
          router: expect.any(Function),
          messageCacheInvalidation: expect.any(Function),
        },
        ucan: {
          hasCapability: expect.any(Function),
          requireCapability: expect.any(Function),
          mintInvocation: expect.any(Function),
          resolveServiceDid: expect.any(Function),
          hasSigningKey: expect.any(Function),
        },
        shared: {},
        logger: { info: expect.any(Function) },
        abortSignal: expect.any(AbortSignal),
      });
    }
    expect(request).not.toHaveProperty('toolCallId');
    expect(call?.toolCallId).toEqual(expect.any(String));
    expect(await call?.ucan.resolveServiceDid('https://service.example')).toMatchObject({ ok: false });
    await app.close();
  });

  it('includes the shared state of earlier plugins, created for each turn', async () => {
    let turns = 0;
    const seen: unknown[] = [];
    const first = testPlugin('first', { getSharedState: () => ({ turn: ++turns }) });
    const second = testPlugin('second', {
      dependsOn: ['first'],
      getRequestTools: ({ shared }) => {
        seen.push(shared);
        return [];
      },
    });
    const { app, say } = await oracleWith([second, first]);
    await say('hello');
    await say('hello');
    expect(seen).toEqual([{ first: { turn: 1 } }, { first: { turn: 2 } }]);
    await app.close();
  });

  it('can emit events to clients that follow the turn, until the turn is over', async () => {
    let emit: RuntimeContext['emit'] | undefined;
    const plugin = testPlugin('thinking', {
      getTools: () => [
        defineTool({
          name: 'think',
          description: 'Thinks.',
          inputSchema: z.object({}),
          execute: async (_args, context) => {
            emit = context.emit;
            await context.emit.reasoning({ reasoning: 'hm', isComplete: true });
            await context.emit.renderComponent({ componentName: 'Chart', args: { x: 1 } });
            const answer = await context.emit.browserToolCall({ toolName: 'none', args: {} });
            return answer.ok;
          },
        }),
      ],
    });
    const { app, follow } = await oracleWith([plugin]);
    const stream = await follow('use the tool think');
    expect(stream).toMatch(/event: reasoning\ndata: .*"reasoning":"hm"/);
    expect(stream).toContain('"output":"false"');
    await expect(emit?.router({ step: 'late' })).resolves.toBeUndefined();
    expect(await emit?.actionCall({ toolName: 'late', args: {} })).toEqual({ ok: false, error: 'The turn is over.' });
    await app.close();
  });

  it('shows the user how to authorise, once and with the answer, when a plugin lacks a delegation', async () => {
    const mailing = testPlugin('mailing', {
      getTools: () => [
        defineTool({
          name: 'mail',
          description: 'Sends mail.',
          inputSchema: z.object({}),
          execute: async (_args, { ucan }) => {
            const capability = { can: 'mail/send', with: 'mailto:asha@example.org' } as const;
            const minted = await ucan.mintInvocation({ capability, origin: 'https://mail.example.org' });
            return minted.ok ? 'sent' : minted.code;
          },
        }),
      ],
    });
    const { app, say } = await oracleWith([mailing]);
    const first = await say('use the tool mail');
    expect(first).toContain('missing');
    expect(first).toMatch(/\n\nI may not act on your behalf .* POST \/delegation\.$/);
    expect(await say('use the tool mail')).not.toContain('POST /delegation');
    await app.close();
  });
});
