import './page.fixture.js';
import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { newSession, openChat, openedChat, until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { openGate } from './service.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

describe('a chat', () => {
  it('shows what is said and answered, and has it again after a reload', async () => {
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
});
