import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { newSession, openChat, openedChat, until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { openGate } from './service.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

type Tab = Awaited<ReturnType<typeof openedChat>>;

const lines = ({ chat }: Tab) => chat.current.messages.map(lineOf);
const message = ({ chat }: Tab, at: number) => chat.current.messages.at(at) ?? expect.unreachable('no such message');
const one = scripted('One.');
const two = scripted('Two.');

async function talked() {
  const user = newUser();
  const sessionId = await newSession(user);
  const [here, there] = [await openedChat(user, sessionId), await openedChat(user, sessionId)];
  const said = async (tab: Tab, act1: () => void, count: number) => {
    act(act1);
    await until(() => expect(tab.chat.current.status).toBe('ready'));
    await until(() => expect(lines(tab)).toHaveLength(count));
  };
  await said(here, () => here.chat.current.sendMessage(one), 2);
  await said(here, () => here.chat.current.sendMessage(two), 4);
  await until(() => expect(lines(there)).toEqual(lines(here)));
  const both = async (shown: readonly string[]) => {
    for (const tab of [here, there]) await until(() => expect(lines(tab)).toEqual(shown));
  };
  return { user, sessionId, here, there, both };
}

describe('an edited message', () => {
  it('replaces the shown branch at once in all tabs, and the old branch can be selected', async () => {
    const { user, sessionId, here, there, both } = await talked();
    const before = lines(here);
    const eins = scripted('Eins', { wait: sessionId }, '.');
    act(() => here.chat.current.edit(message(here, 0).id, eins));
    expect(lines(here)).toEqual([`human: ${eins}`]);
    await both([`human: ${eins}`, 'ai: Eins']);
    await openGate(sessionId);
    await both([`human: ${eins}`, 'ai: Eins.']);
    await until(() => expect(message(here, 0).siblings).toHaveLength(2));
    act(() => here.chat.current.sendMessage(two));
    await both([`human: ${eins}`, 'ai: Eins.', `human: ${two}`, 'ai: Two.']);
    const [first = ''] = message(here, 0).siblings ?? [];
    await act(() => there.chat.current.selectBranch(first));
    await both(before);
    expect(message(there, 0).id).toBe(first);
    const late = openChat(user, sessionId);
    await until(() => expect(lines(late)).toEqual(before));
  });

  it('that is refused leaves everything unchanged', async () => {
    const { here } = await talked();
    const before = lines(here);
    act(() => here.chat.current.edit(message(here, 2).id, 'x'.repeat(32_001)));
    await until(() => expect(here.chat.current.status).toBe('error'));
    expect(lines(here).slice(0, 4)).toEqual(before);
    expect(message(here, -1)).toMatchObject({ isUnsent: true });
    expect(() => here.chat.current.edit('nobody', 'x')).toThrow('no such message');
  });
});

describe('a regenerated answer', () => {
  it('exists in addition to the other branch, also during a run', async () => {
    const { sessionId, here, both } = await talked();
    const slow = scripted('Slow', { wait: sessionId }, '.');
    act(() => here.chat.current.sendMessage(slow));
    await until(() => expect(lines(here).at(-1)).toBe('ai: Slow'));
    const begun = [`human: ${one}`, 'ai: One.', `human: ${two}`, 'ai: Two.', `human: ${slow}`];
    act(() => here.chat.current.regenerate(message(here, -1).id));
    await until(() => expect(here.chat.current.status).toBe('streaming'));
    await both([...begun, 'ai: Slow']);
    await openGate(sessionId);
    await both([...begun, 'ai: Slow.']);
    await until(() => expect(message(here, -1).siblings).toHaveLength(2));
    const [first = '', second] = message(here, -1).siblings ?? [];
    expect(message(here, -1).id).toBe(second);
    expect(message(here, -2).siblings).toBeUndefined();
    await act(() => here.chat.current.selectBranch(first));
    await both([...begun, 'ai: Slow']);
  });
});
