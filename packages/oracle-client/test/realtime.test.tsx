import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { type IAgAction, useAgAction, useChat } from '../src/oracle-client.js';
import { newSession, openChat, openedChat, until } from './chat-page.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { lineOf, newUser, pageOf, type User } from './user.fixture.js';

const plot = (schema: object, calls: unknown[] = [], result: unknown = { drawn: 42 }) => ({
  plot: {
    toolName: 'plot',
    description: 'Draws a point',
    schema: schema as z.ZodType,
    fn: (args: unknown) => {
      calls.push(args);
      if (result instanceof Error) throw result;
      return result;
    },
  },
});

const answerOf = (chat: { current: ReturnType<typeof useChat> }) => chat.current.messages.map(lineOf).at(-1) ?? '';

describe('a browser tool', () => {
  it.each([
    ['zod 4', z.object({ x: z.number() })],
    ['zod 3', z3.object({ x: z3.number() })],
    ['JSON Schema', { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }],
  ])('of %s is called in this tab with checked arguments, and its result is in the answer', async (_, schema) => {
    const user = newUser();
    const sessionId = await newSession(user);
    const calls: unknown[] = [];
    const { chat } = await openedChat(user, sessionId, { browserTools: plot(schema, calls) });
    act(() => chat.current.sendMessage('Use the tool plot with {"x": 41}'));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(calls).toEqual([{ x: 41 }]);
    expect(answerOf(chat)).toMatch(/^ai: \[plot done\].*"drawn":42/);
    const calledIn = { name: 'plot', args: { x: 41 }, status: 'done', output: '{"drawn":42}' };
    expect(chat.current.messages[1]?.toolCalls).toMatchObject([calledIn]);
    const shown = chat.current.messages[1]?.content;
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages[1]?.content).toBe(shown);
  });

  it.each([
    ['throws', new Error('no canvas'), 'no canvas'],
    ['returns a value that is not JSON', { big: 10n }, 'BigInt'],
    ['exceeds the size limit', 'x'.repeat(300_000), 'too large'],
  ])('that %s is a failure that the agent can explain', async (_, result, words) => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId, { browserTools: plot(z.object({}), [], result) });
    act(() => chat.current.sendMessage('Use the tool plot'));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(answerOf(chat)).toContain(words);
  });

  it('is not called with invalid arguments', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const calls: unknown[] = [];
    // JSON Schema cannot express a refinement, so only the tab checks it.
    const even = z.object({ x: z.number().refine((x) => x % 2 === 0, 'must be even') });
    const { chat } = await openedChat(user, sessionId, { browserTools: plot(even, calls) });
    act(() => chat.current.sendMessage('Use the tool plot with {"x": 41}'));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(answerOf(chat)).toContain('x: must be even');
    expect(calls).toEqual([]);
  });

  it('is called only in the tab that sent the message', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const [here, there]: unknown[][] = [[], []];
    const first = await openedChat(user, sessionId, { browserTools: plot(z.object({}), here, 'from here') });
    const second = await openedChat(user, sessionId, { browserTools: plot(z.object({}), there, 'from there') });
    act(() => first.chat.current.sendMessage('Use the tool plot'));
    await until(() => expect(first.chat.current.status).toBe('ready'));
    expect(answerOf(first.chat)).toContain('from here');
    expect([here?.length, there?.length]).toEqual([1, 0]);
    await until(() => expect(answerOf(second.chat)).toContain('from here'));
  });
});

describe('the first message of a session, sent before the socket is open', () => {
  it('can call a tool of this tab and show its components', async () => {
    const user = newUser();
    const calls: unknown[] = [];
    const first = openChat(user, await newSession(user), { browserTools: plot(z.object({}), calls) }).chat;
    expect(first.current.isRealTimeConnected).toBe(false);
    act(() => first.current.sendMessage('Use the tool plot'));
    const other = openChat(user, await newSession(user), { uiComponents: { Card: () => null } }).chat;
    expect(other.current.isRealTimeConnected).toBe(false);
    act(() => other.current.sendMessage('use the tool show_card with {"title": "Hi"}'));
    await until(() => expect([first.current.status, other.current.status]).toEqual(['ready', 'ready']));
    expect(calls).toEqual([{}]);
    expect(answerOf(first)).toContain('"drawn":42');
    expect(answerOf(other)).toContain('[Card done]');
  });

  it.each([
    ['is refused', (socket: Socket) => socket.destroy()],
    ['never connects', () => undefined],
  ])('is sent although the socket %s', async (_, treat) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      treat(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const user = newUser();
      const wsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const options = { browserTools: plot(z.object({})), overrides: { baseUrl, wsUrl } };
      const { chat, unmount } = openChat(user, await newSession(user), options);
      act(() => chat.current.sendMessage('What is 12 * 7?'));
      await until(() => expect(answerOf(chat)).toContain('84'));
      expect(chat.current.isRealTimeConnected).toBe(false);
      unmount();
    } finally {
      server.close();
    }
  });
});

describe('a second tab', () => {
  it('shows the message and the answer of the first tab, once each', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const [first, second] = [await openedChat(user, sessionId), await openedChat(user, sessionId)];
    act(() => first.chat.current.sendMessage('use the tool show_card with {"title": "Hi"}'));
    await until(() => expect(first.chat.current.status).toBe('ready'));
    await until(() => expect(second.chat.current.messages).toHaveLength(2));
    await until(() => expect(second.chat.current.status).toBe('ready'));
    const contents = (tab: typeof first) => tab.chat.current.messages.map(({ content }) => JSON.stringify(content));
    expect(contents(second).at(0)).toBe(contents(first).at(0));
    expect(answerOf(second.chat)).toContain('[Card done]');
  });
});

describe('a component that the agent renders', () => {
  it('is part of the message, with the agent’s properties', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage('use the tool show_card with {"title": "Hi"}'));
    await until(() => expect(chat.current.status).toBe('ready'));
    const { content } = chat.current.messages[1] ?? {};
    const card = { kind: 'render_component', name: 'Card', sessionId, args: { title: 'Hi' }, status: 'done' };
    expect(content).toContainEqual(expect.objectContaining(card));
    expect(answerOf(chat)).toContain('[show_card done]');
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages[1]?.content).toEqual(content);
  });
});

describe('an action', () => {
  function openPage<Schema extends z.ZodType>(user: User, sessionId: string, action: IAgAction<Schema>) {
    const page = () => {
      useAgAction(action);
      const onPaymentRequiredError = () => undefined;
      return useChat({ oracleDid, sessionId, onPaymentRequiredError, overrides: { baseUrl } });
    };
    return renderHook(page, { wrapper: pageOf(user) }).result;
  }

  it.each([
    ['reports a result', async () => ({ receipt: 'r-7' }), 'r-7', 'done'],
    ['reports a failure', () => Promise.reject(new Error('card refused')), 'card refused', 'error'],
    ['reports a failure result', () => ({ success: false, error: 'no money' }), 'no money', 'error'],
  ])('is executed by its handler: %s', async (_, handler, words, status) => {
    const user = newUser();
    const sessionId = await newSession(user);
    const calls: unknown[] = [];
    const chat = openPage(user, sessionId, {
      name: 'pay',
      description: 'Pays',
      parameters: z.object({ kes: z.number() }),
      handler: (args) => {
        calls.push(args.kes);
        return handler();
      },
      render: ({ status: shown }) => shown,
    });
    await until(() => expect(chat.current.isRealTimeConnected).toBe(true));
    act(() => chat.current.sendMessage('Use the action pay with {"kes": 5}'));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(calls).toEqual([5]);
    expect(answerOf(chat)).toContain(words);
    expect(chat.current.messages[1]?.content).toContainEqual(
      expect.objectContaining({ kind: 'action_call', name: 'pay', args: { kes: 5 }, status }),
    );
  });

  it('is not offered after its component is unmounted', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage('Use the action pay with {"kes": 5}'));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current.messages[1]?.toolCalls).toBeUndefined();
  });
});
