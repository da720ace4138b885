import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { newSession, openChat, openedChat, openSwitchingChat, until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { demandPayment, openGate } from './service.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

describe('a chat', () => {
  it('reports a missing or foreign session at once', async () => {
    const [mine, user] = [await newSession(newUser()), newUser()];
    for (const sessionId of ['nowhere', mine]) {
      const { chat } = openChat(user, sessionId);
      await until(() =>
        expect(chat.current.error).toMatchObject({
          statusCode: 404,
          message: expect.stringContaining('no such conversation'),
        }),
      );
      expect(chat.current.messages).toEqual([]);
    }
  });

  it('shows messages and answers, also after a reload', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat, unmount } = await openedChat(user, sessionId);
    expect(chat.current).toMatchObject({ messages: [], status: 'ready', isSending: false, isConfigReady: true });

    const question = scripted('Hello ', { wait: sessionId }, 'there');
    act(() => chat.current.sendMessage(question));
    expect(chat.current.messages.map(lineOf)).toEqual([`human: ${question}`]);
    expect(chat.current).toMatchObject({ status: 'submitted', isSending: true });
    await until(() => expect(chat.current.messages.map(lineOf).at(1)).toBe('ai: Hello '));
    expect(chat.current).toMatchObject({ status: 'streaming', isSending: true });
    expect(chat.current.messages[1]).toMatchObject({ isComplete: false });
    await openGate(sessionId);
    await until(() => expect(chat.current.status).toBe('ready'));
    const { messages, run } = chat.current;
    expect(messages.map(lineOf)).toEqual([`human: ${question}`, 'ai: Hello there']);
    expect(messages[1]).toMatchObject({ id: run?.requestId, isComplete: true });
    expect(run?.status).toBe('finished');
    unmount();

    const reloaded = openChat(user, sessionId).chat;
    expect(reloaded.current.isLoading).toBe(true);
    await until(() => expect(reloaded.current.messages).toHaveLength(2));
    expect(reloaded.current.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(reloaded.current.messages.map(lineOf)).toEqual(messages.map(lineOf));
  });

  it('shows thinking before the answer, and preserves it', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage(scripted({ think: 'Hm, ' }, { think: 'six' }, { wait: sessionId }, '42')));
    await until(() => expect(chat.current.messages[1]).toMatchObject({ reasoning: 'Hm, six', isReasoning: true }));
    await openGate(sessionId);
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current.messages[1]).toMatchObject({ content: '42', reasoning: 'Hm, six', isReasoning: false });
  });

  it('stops an answer and keeps its text so far', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage(scripted('One ', { wait: 'never' }, 'two')));
    await until(() => expect(chat.current.messages).toHaveLength(2));
    await act(() => chat.current.abortStream());
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current.run?.status).toBe('aborted');
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages.map(lineOf)[1]).toBe('ai: One ');
    expect(chat.current.error).toBeUndefined();
  });

  it('lets a second message interrupt the first', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    const [first, second] = [scripted('One ', { wait: 'never' }), scripted('Two')];
    act(() => chat.current.sendMessage(first));
    await until(() => expect(chat.current.messages).toHaveLength(2));
    act(() => chat.current.sendMessage(second));
    await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
    const lines = [`human: ${first}`, 'ai: One ', `human: ${second}`, 'ai: Two'];
    expect(chat.current.messages.map(lineOf)).toEqual(lines);
    await act(() => chat.current.refetchMessages());
    expect(chat.current.messages.map(lineOf)).toEqual(lines);
  });

  it('shows why an answer failed, and continues with the next message', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage(scripted()));
    await until(() => expect(chat.current.error?.message).toBe('The model gave no answer.'));
    await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'failed' } }));
    expect(chat.current.sendMessageError).toBeUndefined();
    expect(chat.current.messages.map(lineOf)[1]).toBe('ai: [Error error]');
    act(() => chat.current.sendMessage(scripted('Better')));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current.error).toBeUndefined();
    expect(chat.current.messages.map(lineOf).at(-1)).toBe('ai: Better');
  });

  it('shows a message as unsent until it is sent again', async () => {
    const { chat } = openChat(newUser(), 'no-such-session');
    await until(() => expect(chat.current.isLoading).toBe(false));
    act(() => chat.current.sendMessage('hello'));
    await until(() => expect(chat.current.status).toBe('error'));
    expect(chat.current.sendMessageError).toMatchObject({ statusCode: 404, message: 'Session not found' });
    expect(chat.current.error).toBe(chat.current.sendMessageError);
    expect(chat.current.messages).toMatchObject([{ content: 'hello', isUnsent: true }]);
    act(() => chat.current.sendMessage('hello again'));
    expect(chat.current).toMatchObject({ status: 'submitted', sendMessageError: undefined });
    expect(chat.current.messages).toMatchObject([{ content: 'hello again' }, { content: 'hello', isUnsent: true }]);
    await until(() => expect(chat.current.status).toBe('error'));
  });

  it('reports the claims to pay and accepts the next message', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    await demandPayment(sessionId, ['c1', 'c2']);
    const requested: string[][] = [];
    const { chat } = await openedChat(user, sessionId, { onPaymentRequiredError: (claims) => requested.push(claims) });
    act(() => chat.current.sendMessage('hello'));
    await until(() => expect(requested).toEqual([['c1', 'c2']]));
    await until(() => expect(chat.current.status).toBe('ready'));
    expect(chat.current).toMatchObject({ error: undefined, sendMessageError: undefined });
    await demandPayment(sessionId, []);
    act(() => chat.current.sendMessage(scripted('Thank you')));
    await until(() => expect(chat.current.messages.map(lineOf)[1]).toBe('ai: Thank you'));
    expect(chat.current.messages).toMatchObject([{}, {}, { content: 'hello', isUnsent: true }]);
  });

  it('reads the newest turns first, and earlier ones on request', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const writer = await openedChat(user, sessionId);
    for (let turn = 1; turn <= 22; turn++) {
      act(() => writer.chat.current.sendMessage(scripted(`answer ${turn}`)));
      await until(() => expect(writer.chat.current.status).toBe('ready'));
    }
    expect(writer.chat.current.messages).toHaveLength(44);
    writer.unmount();
    const { chat } = await openedChat(user, sessionId);
    expect(chat.current.hasEarlier).toBe(true);
    expect(chat.current.messages).toHaveLength(40);
    await act(() => chat.current.loadEarlier());
    await until(() => expect(chat.current.messages).toHaveLength(44));
    expect(chat.current.hasEarlier).toBe(false);
    const answers = chat.current.messages.filter(({ type }) => type === 'ai').map(({ content }) => content);
    expect(answers).toEqual(Array.from({ length: 22 }, (_, index) => `answer ${index + 1}`));
  });

  it('follows its page to another session, and refuses messages without one', async () => {
    const user = newUser();
    const [one, two] = [await newSession(user), await newSession(user)];
    const { chat, show } = openSwitchingChat(user, one);
    await until(() => expect(chat.current.isLoading).toBe(false));
    act(() => chat.current.sendMessage(scripted('in one')));
    await until(() => expect(chat.current.messages).toHaveLength(2));
    show(two);
    expect(chat.current.messages).toEqual([]);
    show('');
    expect(chat.current).toMatchObject({ messages: [], isLoading: false });
    act(() => chat.current.sendMessage('hello'));
    const sendMessageError = new Error('The chat is not ready: it has no session');
    expect(chat.current).toMatchObject({ status: 'error', sendMessageError, error: sendMessageError });
    show(one);
    await until(() => expect(chat.current.messages.map(lineOf)[1]).toBe('ai: in one'));
    expect(chat.current).toMatchObject({ status: 'ready', sendMessageError: undefined });
  });
});
