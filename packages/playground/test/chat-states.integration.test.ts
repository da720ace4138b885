import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook, type Look, looks, onDesktops, onPhones } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChatPage, stagedChatPages } from './support/chat-pages.js';
import { press, reach, write } from './support/keyboard.js';
import type { Talk } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('actions in the chat', { timeout: 120_000 }, () => {
  const pages = stagedChatPages();
  let watched: ChatPage;
  let page: Page;
  let talk: Talk;

  afterEach(() => expect(watched.complaints).toEqual([]));

  async function open(look: Look): Promise<void> {
    watched = await pages.open(looks[look]);
    ({ page, talk } = watched);
  }
  async function ask(message: string): Promise<void> {
    await talk.say(message);
    await talk.untilReady();
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  it('edits a message, and switches between the versions', async () => {
    await open('desktop-light');
    await ask('What is 12 * 7?');
    await press(button('Edit'));
    await isSoundInEveryLook(watched, 'chat-editing');
    await write(page.getByLabel('Edit message'), 'What is 40 * 70?');
    await page.keyboard.press('Enter');
    await expect.poll(talk.lastAnswer, { timeout: 20_000 }).toContain('2800');
    await talk.untilReady();
    await page.getByText('2/2').waitFor();
    await isSoundInEveryLook(watched, 'chat-versions');
    await press(button('Previous version'));
    await expect.poll(talk.lastAnswer).toContain('84');
    await press(button('Regenerate'));
    await page.getByRole('article', { name: 'Oracle' }).getByText('2/2').waitFor();
    await talk.untilReady();
    expect(await talk.lastAnswer()).toContain('84');
  });

  it('sends feedback on an answer', async () => {
    await open('phone-dark');
    await ask('What is 12 * 7?');
    await press(button('Bad answer'));
    await press(button('Incomplete'));
    await isSoundInEveryLook(watched, 'chat-feedback');
    await write(page.getByLabel('Comment (optional)'), 'Show the steps.');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Thank you').waitFor();
    await page.reload();
    await expect.poll(() => button('Bad answer').getAttribute('aria-pressed')).toBe('true');
  });

  it('renames, archives and searches conversations', async () => {
    await open('desktop-dark');
    await ask('What is 12 * 7?');
    await press(button('New conversation'));
    await ask('Think of doors');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await press(list.getByRole('button', { name: 'Rename Think of doors' }));
    await isSoundInEveryLook(watched, 'chat-renaming', onDesktops);
    await write(list.getByLabel('Title'), 'Doors');
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Rename Doors' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toMatch(/^Rename/);
    await press(list.getByRole('button', { name: 'Archive Doors' }));
    await list.getByRole('button', { name: 'Doors', exact: true }).waitFor({ state: 'detached' });
    await write(list.getByRole('searchbox', { name: 'Search' }), '84');
    await list.getByText(/\d messages?/).waitFor();
    await isSoundInEveryLook(watched, 'chat-found');
    await reach(list.getByRole('searchbox', { name: 'Search' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(talk.lastAnswer).toContain('84');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.sought')).toBe('true');
  });

  it('switches the conversation on a phone, and archives, restores and deletes it', async () => {
    await open('phone-light');
    await ask('What is 12 * 7?');
    await press(button('Open conversations'));
    const drawer = page.getByRole('dialog', { name: 'Conversations' });
    await drawer.getByRole('button', { name: 'Archive What is 12 * 7?' }).waitFor();
    await isSoundInEveryLook(watched, 'chat-drawer');
    await page.setViewportSize(looks['phone-light'].viewport);
    await press(drawer.getByRole('button', { name: 'Archive What is 12 * 7?' }));
    await drawer.getByText('Conversation archived').waitFor();
    await isSoundInEveryLook(watched, 'chat-archived', onPhones);
    await press(drawer.getByRole('button', { name: 'Undo' }));
    await press(drawer.getByRole('button', { name: 'What is 12 * 7?', exact: true }));
    await drawer.waitFor({ state: 'hidden' });
    await expect.poll(talk.lastAnswer).toContain('84');
    await press(button('Open conversations'));
    await press(drawer.getByRole('button', { name: 'Archive What is 12 * 7?' }));
    await press(drawer.getByRole('button', { name: 'Archived', exact: true }));
    await press(drawer.getByRole('button', { name: 'Delete What is 12 * 7?' }));
    await isSoundInEveryLook(watched, 'chat-deleting', onPhones);
    await press(drawer.getByRole('button', { name: 'Delete permanently' }));
    await drawer.getByText('No conversations').waitFor();
  });

  it('starts a long answer at its beginning while it streams, and scrolls to its end', async () => {
    await open('phone-light');
    await ask('Format');
    await page.locator('pre .hljs-keyword').first().waitFor();
    await isSoundInEveryLook(watched, 'chat-markdown');
    await page.setViewportSize(looks['phone-light'].viewport);
    await talk.say('Count to 1000');
    await expect.poll(talk.lastAnswer).toMatch(/ 200 /);
    await reach(page.getByRole('log', { name: 'Messages' }));
    await page.keyboard.press('Home');
    await button('Jump to latest').waitFor();
    await isSoundInEveryLook(watched, 'chat-away', onPhones);
    // With a pointer the button does this; with keys, scrolling does.
    await page.keyboard.press('End');
    await button('Jump to latest').waitFor({ state: 'detached' });
    await talk.untilReady();
  });
});
