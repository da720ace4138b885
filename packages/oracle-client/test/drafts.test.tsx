import { cleanup, fireEvent, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDraft, saveDraft } from '../src/ui/composer/drafts.js';
import { newSession, until } from './chat-page.fixture.js';
import { openOracle } from './ui-page.fixture.js';
import { newUser } from './user.fixture.js';

const screen = within(document.body);
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const typed = (text: string) => ({ text, attachments: [] });

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

describe('a draft', () => {
  it('stays with its conversation and its user, through a reload, until it is sent', async () => {
    const user = newUser();
    const [one, two] = [await newSession(user), await newSession(user)];
    openOracle({ sessionId: one }, user);
    type('half a thought');
    cleanup();
    openOracle({ sessionId: two }, user);
    expect(field().value).toBe('');
    cleanup();
    openOracle({ sessionId: one });
    expect(field().value).toBe('');
    cleanup();
    openOracle({ sessionId: one }, user);
    expect(field().value).toBe('half a thought');
    fireEvent.keyDown(field(), { key: 'Enter' });
    await until(() => expect(screen.getByTestId('human-text').textContent).toBe('half a thought'));
    cleanup();
    openOracle({ sessionId: one }, user);
    expect(field().value).toBe('');
  });

  it('is limited to the newest fifty, and ignores invalid storage', () => {
    for (let at = 0; at < 60; at++) saveDraft(`c${at}`, typed(`draft ${at}`));
    expect([readDraft('c9').text, readDraft('c59').text]).toEqual(['', 'draft 59']);
    saveDraft('c59', typed(''));
    expect(readDraft('c59').text).toBe('');
    localStorage.setItem('mlango drafts', '{"c1":7}');
    expect(readDraft('c1').text).toBe('');
    localStorage.setItem('mlango drafts', '{"c1":["draft",1,[{"attachmentId":7}]]}');
    expect(readDraft('c1').text).toBe('');
    localStorage.setItem('mlango drafts', 'no JSON');
    saveDraft('c1', typed('again'));
    expect(readDraft('c1').text).toBe('again');
  });
});
