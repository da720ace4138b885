import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { newSession, openedChat, until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

describe('the components of an answer', () => {
  it('stand in the place of their calls, also after a reload: a card for its call, and a failed one as failed', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat, unmount } = await openedChat(user, sessionId);
    const call = (name: string, args: Record<string, unknown>) => ({ call: name, args });
    act(() =>
      chat.current.sendMessage(
        scripted('First this. ', call('show_card', { title: 'Hi' }), 'Then that. ', call('break_down', {}), 'Done.'),
      ),
    );
    await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
    const line = 'ai: First this. [show_card done][Card done]Then that. [break_down error]Done.';
    expect(chat.current.messages.map(lineOf)[1]?.replaceAll('\n', '')).toBe(line);
    const failed = { name: 'break_down', status: 'error', error: expect.any(String) };
    expect(chat.current.messages[1]?.toolCalls?.[1]).toMatchObject(failed);
    const { content } = chat.current.messages[1] ?? {};
    unmount();
    const reloaded = (await openedChat(user, sessionId)).chat;
    expect(reloaded.current.messages[1]?.content).toEqual(content);
    expect(reloaded.current.messages[1]?.toolCalls?.[1]).toMatchObject(failed);
  });

  it('are empty for an answer that failed before its first text, which shows the error and can be retried', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const { chat, unmount } = await openedChat(user, sessionId);
    act(() => chat.current.sendMessage(scripted()));
    await until(() => expect(chat.current.messages[1]).toMatchObject({ ending: 'failed' }));
    unmount();
    const reloaded = (await openedChat(user, sessionId)).chat;
    expect(reloaded.current.messages[1]).toMatchObject({ type: 'ai', content: '', ending: 'failed' });
    act(() => reloaded.current.regenerate(reloaded.current.messages[1]?.id ?? ''));
    await until(() => expect(reloaded.current.messages.at(-1)?.siblings).toHaveLength(2));
  });
});
