import { act } from '@testing-library/react';
import { describe, expect, inject, it } from 'vitest';
import { newSession, openChat, openedChat, until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { openGate } from './service.fixture.js';
import { lineOf, newUser, type User } from './user.fixture.js';

type Tab = Awaited<ReturnType<typeof openedChat>>;

const lines = ({ chat }: Tab) => chat.current.messages.map(lineOf);
const ids = ({ chat }: Tab) => chat.current.messages.map(({ id }) => id);

async function twoTabs(user: User = newUser()) {
  const sessionId = await newSession(user);
  return { sessionId, here: await openedChat(user, sessionId), there: await openedChat(user, sessionId) };
}

describe('a message sent by another tab', () => {
  it('is shown at once, with its growing answer, each once', async () => {
    const { sessionId, here, there } = await twoTabs();
    const question = scripted('Hello ', { wait: sessionId }, 'there');
    act(() => there.chat.current.sendMessage(question));
    await until(() => expect(lines(here)).toEqual([`human: ${question}`, 'ai: Hello ']));
    expect(here.chat.current).toMatchObject({ status: 'streaming', isAnsweringOtherTab: true, isSending: true });
    expect(there.chat.current.isAnsweringOtherTab).toBe(false);
    expect(ids(here)).toEqual(ids(there));
    await openGate(sessionId);
    for (const tab of [here, there]) {
      await until(() => expect(tab.chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
      expect(lines(tab)).toEqual([`human: ${question}`, 'ai: Hello there']);
      expect(tab.chat.current.isAnsweringOtherTab).toBe(false);
      const shown = tab.chat.current.messages;
      await act(() => tab.chat.current.refetchMessages());
      expect(tab.chat.current.messages.map(lineOf)).toEqual(shown.map(lineOf));
    }
  });

  it('is answered completely after that tab is closed', async () => {
    const { sessionId, here, there } = await twoTabs();
    act(() => there.chat.current.sendMessage(scripted('Hello ', { wait: sessionId }, 'there')));
    await until(() => expect(lines(here)).toHaveLength(2));
    there.unmount();
    await openGate(sessionId);
    await until(() => expect(lines(here).at(-1)).toBe('ai: Hello there'));
  });

  it('is found by a tab opened meanwhile', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const there = await openedChat(user, sessionId);
    act(() => there.chat.current.sendMessage(scripted('Hello ', { wait: sessionId }, 'there')));
    await until(() => expect(lines(there)).toHaveLength(2));
    const late = openChat(user, sessionId);
    await until(() => expect(lines(late).at(-1)).toBe('ai: Hello '));
    await openGate(sessionId);
    await until(() => expect(lines(late).at(-1)).toBe('ai: Hello there'));
  });

  it('can be stopped in this tab', async () => {
    const { here, there } = await twoTabs();
    act(() => there.chat.current.sendMessage(scripted('Half ', { wait: 'never' })));
    await until(() => expect(lines(here).at(-1)).toBe('ai: Half '));
    await act(() => here.chat.current.abortStream());
    for (const tab of [here, there]) {
      await until(() => expect(tab.chat.current).toMatchObject({ status: 'ready', run: { status: 'aborted' } }));
      expect(lines(tab).at(-1)).toBe('ai: Half ');
    }
  });

  it('interrupts the current answer, as all tabs show', async () => {
    const { here, there } = await twoTabs();
    act(() => there.chat.current.sendMessage(scripted('Half ', { wait: 'never' })));
    await until(() => expect(lines(here).at(-1)).toBe('ai: Half '));
    act(() => here.chat.current.sendMessage(scripted('Instead')));
    for (const tab of [here, there]) {
      await until(() => expect(tab.chat.current.status).toBe('ready'));
      await until(() =>
        expect(lines(tab)).toEqual([expect.any(String), 'ai: Half ', expect.any(String), 'ai: Instead']),
      );
      expect(tab.chat.current.messages.map(({ isInterrupted }) => isInterrupted)).toEqual([
        undefined,
        true,
        undefined,
        undefined,
      ]);
    }
  });
});

describe('queued messages', () => {
  const oracle = inject('oracleWithQueue');

  const open = async (gate: string) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${oracle.baseUrl}/rehearsal/open/${gate}`, init)).ok).toBe(true);
  };
  async function opened() {
    const { baseUrl, oracleDid } = oracle;
    const user = newUser();
    const sessionId = await newSession(user, oracle);
    const options = { oracleDid, overrides: { baseUrl } };
    const [here, there] = [await openedChat(user, sessionId, options), await openedChat(user, sessionId, options)];
    return { sessionId, here, there };
  }
  const waiting = ({ chat }: Tab) => chat.current.messages.map(({ isQueued }) => isQueued === true);

  it('each tab shows the queued one, until its turn', async () => {
    const { sessionId, here, there } = await opened();
    const [first, second] = [
      scripted('One', { wait: sessionId }, '.'),
      scripted('Two', { wait: `${sessionId}2` }, '.'),
    ];
    act(() => there.chat.current.sendMessage(first));
    await until(() => expect(lines(here)).toEqual([`human: ${first}`, 'ai: One']));
    act(() => here.chat.current.sendMessage(second));
    for (const tab of [here, there]) {
      await until(() => expect(lines(tab)).toEqual([`human: ${first}`, 'ai: One', `human: ${second}`]));
      await until(() => expect(waiting(tab)).toEqual([false, false, true]));
    }
    await open(sessionId);
    for (const tab of [here, there]) {
      await until(() => expect(lines(tab)).toEqual([`human: ${first}`, 'ai: One.', `human: ${second}`, 'ai: Two']));
      expect(waiting(tab)).toEqual([false, false, false, false]);
    }
    expect([here, there].map(({ chat }) => chat.current.isAnsweringOtherTab)).toEqual([false, true]);
    await open(`${sessionId}2`);
    for (const tab of [here, there]) await until(() => expect(lines(tab).at(-1)).toBe('ai: Two.'));
  });

  it('is rejected above the limit, and its tab shows why', async () => {
    const { sessionId, here, there } = await opened();
    act(() => there.chat.current.sendMessage(scripted('One', { wait: sessionId })));
    await until(() => expect(lines(here)).toHaveLength(2));
    act(() => here.chat.current.sendMessage('Two'));
    await until(() => expect(waiting(there)).toEqual([false, false, true]));
    act(() => here.chat.current.sendMessage('Three'));
    await until(() => expect(here.chat.current.sendMessageError).toMatchObject({ statusCode: 429 }));
    expect(here.chat.current.sendMessageError?.message).toMatch(/queued/);
    expect(here.chat.current.messages.at(-1)).toMatchObject({ content: 'Three', isUnsent: true });
    expect(lines(there)).not.toContain('human: Three');
    await open(sessionId);
    await until(() => expect(lines(here)).toHaveLength(5));
  });

  it('a stopped queued message leaves the queue in every tab', async () => {
    const { sessionId, here, there } = await opened();
    act(() => there.chat.current.sendMessage(scripted('One', { wait: sessionId })));
    await until(() => expect(lines(here)).toHaveLength(2));
    act(() => here.chat.current.sendMessage('Two'));
    for (const tab of [here, there]) await until(() => expect(waiting(tab)).toEqual([false, false, true]));
    await act(() => there.chat.current.abortStream());
    for (const tab of [here, there]) {
      await until(() => expect(waiting(tab)).toEqual([false, false, false]));
      await until(() => expect(tab.chat.current.status).toBe('ready'));
    }
  });
});
