import { act } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { newSession, openedChat, until } from './chat-page.fixture.js';
import { network } from './network.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, openGate } from './service.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

let undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of undo) await each();
  undo = [];
});

/** A chat with requests over a breakable network; its socket is separate. */
async function chatOverNetwork() {
  const user = newUser();
  const sessionId = await newSession(user);
  const between = await network(baseUrl);
  undo.push(() => between.close());
  const overrides = { baseUrl: between.baseUrl, wsUrl: baseUrl };
  const { chat } = await openedChat(user, sessionId, { overrides });
  return { chat, between, sessionId };
}

const pieces = [
  'Habari ',
  'ya ',
  'asubuhi, ',
  'Zürich ',
  '👋🏽 ',
  'line\nbreak\r\n',
  'data: x\n\n',
  '\u2028',
  'mwisho',
];

describe('an answer over a network that breaks', () => {
  it.each([0, 1, 300, 700, 800, 850, 900, 1000, 1100, 1200, 1300, 1400, 1500])(
    'arrives complete and once when the connection breaks after %i bytes',
    async (bytes) => {
      const { chat, between } = await chatOverNetwork();
      between.cutAfter(bytes);
      act(() => chat.current.sendMessage(scripted(...pieces)));
      await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
      expect(chat.current.messages.map(lineOf)).toEqual([expect.any(String), `ai: ${pieces.join('')}`]);
      expect(chat.current.error).toBeUndefined();
    },
  );

  it('continues where it was after an outage, with the text from meanwhile', async () => {
    const { chat, between, sessionId } = await chatOverNetwork();
    const shown: string[] = [];
    act(() => chat.current.sendMessage(scripted('before, ', { wait: sessionId }, 'meanwhile, ', 'after')));
    await until(() => expect(chat.current.messages.map(lineOf)[1]).toBe('ai: before, '));
    between.down();
    await openGate(sessionId);
    await until(() => expect(between.connections()).toBe(0));
    shown.push(chat.current.messages.map(lineOf)[1] ?? '');
    expect(chat.current.status).toBe('streaming');
    between.up();
    await until(() => expect(chat.current.status).toBe('ready'));
    shown.push(chat.current.messages.map(lineOf)[1] ?? '');
    expect(shown).toEqual(['ai: before, ', 'ai: before, meanwhile, after']);
  });

  it('arrives although the message was lost at first', async () => {
    const { chat, between } = await chatOverNetwork();
    between.dropRequests(1);
    act(() => chat.current.sendMessage(scripted('Hello')));
    await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages.map(lineOf)).toEqual([expect.any(String), 'ai: Hello']);
  });

  it('is sent once, and marked unsent when the oracle is unreachable', async () => {
    const { chat, between } = await chatOverNetwork();
    between.down();
    act(() => chat.current.sendMessage(scripted('hello')));
    await until(() => expect(chat.current.status).toBe('error'));
    expect(chat.current.sendMessageError).toMatchObject({ statusCode: 0, message: 'The oracle could not be reached' });
    between.up();
    act(() => chat.current.resend(chat.current.messages[0]?.id ?? ''));
    await until(() => expect(chat.current.status).toBe('ready'));
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages).toHaveLength(2);
  });
});

describe('a reloaded page', () => {
  it('continues the running answer, from its first character', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const before = await openedChat(user, sessionId);
    const question = scripted('Half ', { wait: sessionId }, 'and whole');
    act(() => before.chat.current.sendMessage(question));
    await until(() => expect(before.chat.current.messages).toHaveLength(2));
    before.unmount();
    const { chat } = await openedChat(user, sessionId);
    await until(() => expect(chat.current.messages.map(lineOf)).toEqual([`human: ${question}`, 'ai: Half ']));
    expect(chat.current.status).toBe('streaming');
    await openGate(sessionId);
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current.messages.map(lineOf)).toEqual([`human: ${question}`, 'ai: Half and whole']);
  });

  it('can stop that answer', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const before = await openedChat(user, sessionId);
    act(() => before.chat.current.sendMessage(scripted('Half ', { wait: 'never' })));
    await until(() => expect(before.chat.current.messages).toHaveLength(2));
    before.unmount();
    const { chat } = await openedChat(user, sessionId);
    await until(() => expect(chat.current.status).toBe('streaming'));
    await act(() => chat.current.abortStream());
    await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'aborted' } }));
    expect(chat.current.messages.map(lineOf)[1]).toBe('ai: Half ');
  });
});
