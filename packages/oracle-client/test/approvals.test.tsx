import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { newSession, openChat, openedChat, until } from './chat-page.fixture.js';
import { lineOf, newUser } from './user.fixture.js';

type Tab = Awaited<ReturnType<typeof openedChat>>;

const lastLine = ({ chat }: Tab) => chat.current.messages.map(lineOf).at(-1);
const titles = ({ chat }: Tab) => chat.current.approvals.map(({ title }) => title);
const wire = (kes: number) => `use the tool wire_money with {"kes":${kes}}`;

async function asked(kes = 5) {
  const user = newUser();
  const sessionId = await newSession(user);
  const [here, there] = [await openedChat(user, sessionId), await openedChat(user, sessionId)];
  act(() => here.chat.current.sendMessage(wire(kes)));
  for (const tab of [here, there]) {
    await until(() => expect(titles(tab)).toEqual([`Pay KES ${kes}`]));
    await until(() => expect(tab.chat.current).toMatchObject({ status: 'ready', run: { status: 'waiting' } }));
  }
  const id = here.chat.current.approvals[0]?.toolCallId ?? '';
  return { user, sessionId, here, there, id };
}

describe('a call that waits for approval', () => {
  it('is shown in every tab and after a reload, and continues in all of them after approval in one', async () => {
    const { user, sessionId, here, there, id } = await asked();
    expect(here.chat.current.approvals).toMatchObject([
      { toolName: 'wire_money', plugin: 'rehearsal', args: { kes: 5 }, reason: 'It leaves your account.' },
    ]);
    here.unmount();
    const late = openChat(user, sessionId);
    await until(() => expect(titles(late)).toEqual(['Pay KES 5']));
    await until(() => expect(late.chat.current.isRealTimeConnected).toBe(true));
    await act(() => late.chat.current.approve(id));
    for (const tab of [there, late]) {
      await until(() => expect(lastLine(tab)).toMatch(/wire_money done.*"paid":5/s));
      await until(() => expect(tab.chat.current).toMatchObject({ status: 'ready', approvals: [] }));
      expect(tab.chat.current.messages).toHaveLength(2);
      expect(lastLine(tab)?.match(/This waits for your approval/g)).toHaveLength(1);
    }
  });

  it('passes a denial with its reason, and settles once', async () => {
    const { here, there, id } = await asked();
    const both = [here, there].map(({ chat }) =>
      chat.current.settleApproval(id, { decision: 'deny', reason: 'Too much.' }).catch(({ message }: Error) => message),
    );
    let said: unknown[] = [];
    await act(async () => {
      said = await Promise.all(both);
    });
    expect(said).toEqual(expect.arrayContaining(['The call was already denied', undefined]));
    for (const tab of [here, there]) {
      await until(() => expect(lastLine(tab)).toContain('Too much.'));
      await until(() => expect(tab.chat.current.approvals).toEqual([]));
    }
    await expect(here.chat.current.settleApproval(id, { decision: 'allow' })).rejects.toThrow('waits for you any more');
  });

  it('uses the arguments edited by its user', async () => {
    const { here, there, id } = await asked();
    await act(() => here.chat.current.approve(id, { kes: 3 }));
    for (const tab of [here, there]) {
      await until(() => expect(lastLine(tab)).toContain('"paid":3'));
      await until(() => expect(tab.chat.current.status).toBe('ready'));
      expect(tab.chat.current.messages.at(-1)?.toolCalls).toMatchObject([{ args: { kes: 3 }, status: 'done' }]);
    }
  });

  it('is not requested again after “always”', async () => {
    const { here, id } = await asked();
    await act(() => here.chat.current.settleApproval(id, { decision: 'always' }));
    await until(() => expect(here.chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
    act(() => here.chat.current.sendMessage(wire(7)));
    await until(() => expect(lastLine(here)).toContain('"paid":7'));
    expect(here.chat.current.approvals).toEqual([]);
  });
});
