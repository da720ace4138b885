import { render, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import type { IChat, IMessage } from '../src/oracle-client.js';
import { Thread } from '../src/ui.js';
import { until } from './chat-page.fixture.js';
import { newUser, pageOf } from './user.fixture.js';

const screen = within(document.body);
const messages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at): IMessage => {
    const id = `m${from + at}`;
    return { id, type: 'human', content: `Message ${id}`, isComplete: true };
  });

/** A conversation of which the newest page is read, and another branch of it. */
function Conversation({ messageId, requested }: { readonly messageId: string; readonly requested: string[] }) {
  const [shown, setShown] = useState(() => messages(20, 30));
  const [sought] = useState({ sessionId: 's', messageId });
  const first = Number(shown[0]?.id.slice(1));
  const chat = {
    messages: shown,
    status: 'ready',
    hasEarlier: first > 0,
    loadEarlier: async () => {
      requested.push('earlier');
      setShown([...messages(first - 10, first), ...shown]);
    },
    selectBranch: async (id: string) => {
      requested.push(id);
      setShown([...shown.slice(0, -1), ...messages(90, 91)]);
    },
  } as unknown as IChat;
  return <Thread chat={chat} sought={sought} />;
}

describe('a searched message', () => {
  it.each([
    ['is marked, with the focus on it', 'm25', []],
    ['is shown after the earlier pages are read', 'm3', ['earlier', 'earlier']],
    ['is shown after its branch is selected', 'm90', ['earlier', 'earlier', 'm90']],
  ])('%s', async (_what, messageId, wanted) => {
    const requested: string[] = [];
    render(<Conversation messageId={messageId} requested={requested} />, { wrapper: pageOf(newUser()) });
    const focused = () => document.activeElement;
    await until(() => expect(focused()?.getAttribute('data-message')).toBe(messageId));
    expect(focused()?.getAttribute('data-sought')).toBe('true');
    expect(requested).toEqual(wanted);
    expect(screen.getByRole('button', { name: 'Jump to latest' })).toBeDefined();
  });

  it('is given up if it does not exist', async () => {
    const requested: string[] = [];
    render(<Conversation messageId="none" requested={requested} />, { wrapper: pageOf(newUser()) });
    await until(() => expect(requested).toEqual(['earlier', 'earlier', 'none']));
    expect(document.querySelector('[data-sought]')).toBe(null);
  });
});
