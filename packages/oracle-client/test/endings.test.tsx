import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { newSession, openedChat, until } from './chat-page.fixture.js';
import { network } from './network.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl } from './service.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

type Tab = Awaited<ReturnType<typeof openedChat>>;

const endings = ({ chat }: Tab) => chat.current.messages.map(({ ending }) => ending);
const lines = ({ chat }: Tab) => chat.current.messages.map(lineOf);

async function opened() {
  const user = newUser();
  const sessionId = await newSession(user);
  return { user, sessionId, tab: await openedChat(user, sessionId) };
}

describe('an incomplete answer', () => {
  it('is marked as stopped by the user, also after a reload', async () => {
    const { user, sessionId, tab } = await opened();
    act(() => tab.chat.current.sendMessage(scripted('One ', { wait: 'never' })));
    await until(() => expect(lines(tab)[1]).toBe('ai: One '));
    expect(endings(tab)).toEqual([undefined, undefined]);
    await act(() => tab.chat.current.abortStream());
    await until(() => expect(endings(tab)).toEqual([undefined, 'stopped']));
    tab.unmount();
    expect(endings(await openedChat(user, sessionId))).toEqual([undefined, 'stopped']);
  });

  it('is marked as interrupted by another message, also after a reload', async () => {
    const { user, sessionId, tab } = await opened();
    act(() => tab.chat.current.sendMessage(scripted('One ', { wait: 'never' })));
    await until(() => expect(lines(tab)[1]).toBe('ai: One '));
    act(() => tab.chat.current.sendMessage(scripted('Two')));
    const shown = [undefined, 'interrupted', undefined, undefined];
    await until(() => expect(endings(tab)).toEqual(shown));
    expect(tab.chat.current.messages[1]).toMatchObject({ isInterrupted: true });
    tab.unmount();
    expect(endings(await openedChat(user, sessionId))).toEqual(shown);
  });

  it('is marked as too long, also after a reload', async () => {
    const { user, sessionId, tab } = await opened();
    act(() => tab.chat.current.sendMessage(scripted({ times: 20_000, say: 'fifteen letters' })));
    await until(() => expect(endings(tab)).toEqual([undefined, 'length']));
    tab.unmount();
    expect(endings(await openedChat(user, sessionId))).toEqual([undefined, 'length']);
  });
});

describe('an unsent message', () => {
  it('stays below later messages until it is sent again', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const between = await network(baseUrl);
    try {
      const overrides = { baseUrl: between.baseUrl, wsUrl: baseUrl };
      const tab = await openedChat(user, sessionId, { overrides });
      const [failing, other] = [scripted('Here'), scripted('There')];
      between.down();
      act(() => tab.chat.current.sendMessage(failing));
      await until(() => expect(tab.chat.current.status).toBe('error'));
      between.up();
      act(() => tab.chat.current.sendMessage(other));
      await until(() => expect(lines(tab)).toEqual([`human: ${other}`, 'ai: There', `human: ${failing}`]));
      const unsent = tab.chat.current.messages.at(-1);
      expect(unsent).toMatchObject({ isUnsent: true });
      act(() => tab.chat.current.resend(unsent?.id ?? ''));
      const sent = [`human: ${other}`, 'ai: There', `human: ${failing}`, 'ai: Here'];
      await until(() => expect(lines(tab)).toEqual(sent));
      await until(() => expect(tab.chat.current.status).toBe('ready'));
      expect(tab.chat.current.messages.at(-2)).not.toHaveProperty('isUnsent');
      expect(tab.chat.current.messages.at(-2)?.id).toBe(unsent?.id);
      expect(() => tab.chat.current.resend(unsent?.id ?? '')).toThrow('not sent');
      tab.unmount();
      expect(lines(await openedChat(user, sessionId))).toEqual(sent);
    } finally {
      await between.close();
    }
  });

  it('is shown after a reload, until it is sent', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const between = await network(baseUrl);
    try {
      const overrides = { baseUrl: between.baseUrl, wsUrl: baseUrl };
      const before = await openedChat(user, sessionId, { overrides });
      between.down();
      const failing = scripted('Here');
      act(() => before.chat.current.sendMessage(failing));
      await until(() => expect(before.chat.current.status).toBe('error'));
      before.unmount();
      between.up();
      const tab = await openedChat(user, sessionId, { overrides });
      expect(tab.chat.current.messages).toMatchObject([{ content: failing, isUnsent: true }]);
      expect((await openedChat(user, await newSession(user))).chat.current.messages).toEqual([]);
      act(() => tab.chat.current.resend(tab.chat.current.messages[0]?.id ?? ''));
      await until(() => expect(lines(tab)).toEqual([`human: ${failing}`, 'ai: Here']));
      tab.unmount();
      const after = await openedChat(user, sessionId);
      expect(lines(after)).toEqual([`human: ${failing}`, 'ai: Here']);
      expect(localStorage.getItem('mlango unsent')).toBe('[]');
    } finally {
      await between.close();
    }
  });

  it('can be edited', async () => {
    const { tab } = await opened();
    const long = 'x'.repeat(32_001);
    act(() => tab.chat.current.sendMessage(long));
    await until(() => expect(tab.chat.current.messages).toMatchObject([{ content: long, isUnsent: true }]));
    const short = scripted('Better');
    act(() => tab.chat.current.edit(tab.chat.current.messages[0]?.id ?? '', short));
    await until(() => expect(lines(tab)).toEqual([`human: ${short}`, 'ai: Better']));
    expect(tab.chat.current.sendMessageError).toBeUndefined();
  });
});
