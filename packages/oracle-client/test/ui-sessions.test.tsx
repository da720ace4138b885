import { fireEvent, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fr } from '../src/ui.js';
import { newSession, until } from './chat-page.fixture.js';
import { openOracle } from './ui-page.fixture.js';
import { newUser } from './user.fixture.js';

const screen = within(document.body);
/** The list next to the chat; the drawer has another one. */
const list = (name = 'Conversations') => {
  const [first] = screen.getAllByRole('navigation', { name, hidden: true });
  if (first === undefined) throw new Error('there is no list');
  return within(first);
};
const opened = () => list().queryAllByRole('button', { name: /^(Untitled|Goats|Rain)$/ });
const current = () => opened().filter((button) => button.getAttribute('aria-current') === 'page').length;

describe('the list of conversations', () => {
  it('are listed by day, chosen and renamed', async () => {
    const user = newUser();
    await newSession(user);
    await newSession(user);
    const chosen: string[] = [];
    openOracle({ onSessionChange: (id) => chosen.push(id) }, user);
    await until(() => expect(opened()).toHaveLength(2));
    expect(list().getByRole('region', { name: 'Today' })).toBeDefined();
    expect(current()).toBe(0);

    const [first] = opened();
    if (first !== undefined) fireEvent.click(first);
    await until(() => expect(current()).toBe(1));
    expect(chosen).toHaveLength(1);

    const rename = list().getAllByRole('button', { name: 'Rename Untitled' })[0];
    if (rename !== undefined) fireEvent.click(rename);
    const field = list().getByLabelText('Title');
    fireEvent.change(field, { target: { value: ' Goats ' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await until(() => expect(list().getByRole('button', { name: 'Goats' })).toBeDefined());
  });

  it('keeps a title on Escape, and can be listed by the page instead', async () => {
    const user = newUser();
    await newSession(user);
    const page = openOracle({ words: fr }, user);
    await until(() => expect(list().getByRole('button', { name: 'Renommer Sans titre' })).toBeDefined());
    fireEvent.click(list().getByRole('button', { name: 'Renommer Sans titre' }));
    const field = list().getByLabelText('Titre');
    fireEvent.change(field, { target: { value: 'Autre' } });
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(list().getByRole('button', { name: 'Sans titre' })).toBeDefined();
    page.unmount();
    openOracle({ hasSessions: false }, user);
    expect(screen.queryByRole('navigation', { hidden: true })).toBe(null);
  });

  it('are archived, and restored by undo or from the archive', async () => {
    const user = newUser();
    await newSession(user);
    openOracle({}, user);
    await until(() => expect(opened()).toHaveLength(1));
    const archive = () => fireEvent.click(list().getByRole('button', { name: 'Archive Untitled' }));
    archive();
    await until(() => expect(opened()).toHaveLength(0));
    const undo = list().getByRole('button', { name: 'Undo' });
    expect(undo.closest('[role=status]')?.textContent).toBe('Conversation archivedUndo');
    expect(document.activeElement).toBe(undo);
    fireEvent.click(undo);
    expect(document.activeElement?.textContent).toBe('New conversation');
    await until(() => expect(opened()).toHaveLength(1));
    expect(list().queryByText('Conversation archived')).toBe(null);
    archive();
    await until(() => expect(opened()).toHaveLength(0));
    fireEvent.click(list().getByRole('button', { name: 'Archived' }));
    await until(() => expect(opened()).toHaveLength(1));
    fireEvent.click(list().getByRole('button', { name: 'Unarchive Untitled' }));
    await until(() => expect(opened()).toHaveLength(0));
    fireEvent.click(list().getByRole('button', { name: 'Back to conversations' }));
    await until(() => expect(opened()).toHaveLength(1));
  });

  it('are deleted from the archive only, after a confirmation', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const chosen: string[] = [];
    openOracle({ sessionId, onSessionChange: (id) => chosen.push(id) }, user);
    await until(() => expect(opened()).toHaveLength(1));
    expect(list().queryByRole('button', { name: 'Delete Untitled' })).toBe(null);
    fireEvent.click(list().getByRole('button', { name: 'Archive Untitled' }));
    await until(() => expect(opened()).toHaveLength(0));
    fireEvent.click(list().getByRole('button', { name: 'Archived' }));
    await until(() => expect(opened()).toHaveLength(1));
    const remove = () => fireEvent.click(list().getByRole('button', { name: 'Delete Untitled' }));
    remove();
    expect(document.activeElement?.textContent).toBe('Cancel');
    fireEvent.click(list().getByRole('button', { name: 'Cancel' }));
    expect([opened().length, chosen]).toEqual([1, []]);
    remove();
    fireEvent.click(list().getByRole('button', { name: 'Delete permanently' }));
    expect(chosen).toEqual(['']);
    await until(() => expect(list().getByText('No conversations')).toBeDefined());
    fireEvent.click(list().getByRole('button', { name: 'Back to conversations' }));
    await until(() => expect(list().getByText('No conversations')).toBeDefined());
  });

  it('can be searched by message text, with arrow keys and Escape', async () => {
    const chosen: string[] = [];
    openOracle({ onSessionChange: (id) => chosen.push(id) });
    const message = screen.getByLabelText('Message');
    fireEvent.change(message, { target: { value: 'say goats like mangoes' } });
    fireEvent.keyDown(message, { key: 'Enter' });
    await until(() => expect(screen.getByTestId('ai-text').textContent).toBe('goats like mangoes'));
    fireEvent.click(list().getByRole('button', { name: 'New conversation' }));
    const field = list().getByRole('searchbox', { name: 'Search' });
    field.focus();
    fireEvent.change(field, { target: { value: 'mangoes' } });
    await until(() => expect(list().getByText('2 messages')).toBeDefined());
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toContain('goats like mangoes');
    fireEvent.click(document.activeElement as HTMLElement);
    expect(chosen.at(-1)).toBe(chosen[0]);
    await until(() => expect(document.activeElement?.getAttribute('data-sought')).toBe('true'));
    expect(document.activeElement?.textContent).toContain('goats like mangoes');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(list().getByRole('region', { name: 'Today' })).toBeDefined();
    fireEvent.change(field, { target: { value: 'giraffes' } });
    await until(() => expect(list().getByText('0 messages')).toBeDefined());
  });
});
