import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook, type Look, looks } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type ChatPage, stagedChatPages } from './support/chat-pages.js';
import { press, tabTo, write } from './support/keyboard.js';
import type { Talk } from './support/talk.js';

const executablePath = findChromium();
const noSuch = 'This conversation does not exist, or it is not yours.';

describe.skipIf(executablePath === undefined)('failures in the chat', { timeout: 90_000 }, () => {
  const pages = stagedChatPages();
  let watched: ChatPage;
  let page: Page;
  let talk: Talk;

  async function open(look: Look, route = '#/chat'): Promise<void> {
    watched = await pages.open(looks[look], route);
    ({ page, talk } = watched);
  }

  it('a failed tool is shown as failed, also after a reload', async () => {
    await open('phone-dark');
    await talk.say('use the tool open_vault with {}');
    const failed = page.getByTestId('tool-call').filter({ hasText: 'open_vault' }).getByText('Failed');
    await failed.waitFor();
    await talk.untilReady();
    await page.reload();
    await failed.waitFor();
    await press(page.getByTestId('tool-call').locator('summary'));
    await page.getByText('The vault is locked.').first().waitFor();
    await isSoundInEveryLook(watched, 'trouble-failed-tool');
    expect(watched.complaints).toEqual([]);
  });

  it('an answer of a failing model is marked incomplete, also after a reload', async () => {
    await open('desktop-dark');
    await talk.say('Break');
    const ending = page.getByText('Failed: the answer is incomplete').first();
    await ending.waitFor();
    expect(await talk.lastAnswer()).toMatch(/^It begins well,/);
    await page.reload();
    await ending.waitFor();
    await isSoundInEveryLook(watched, 'trouble-model-failed');
    expect(watched.complaints).toEqual([]);
  });

  it('an answer at the length limit is marked as cut, also after a reload', async () => {
    await open('desktop-light');
    await talk.say('Ramble');
    const ending = page.getByText('Cut off: the answer reached its length limit').first();
    await ending.waitFor();
    await talk.untilReady();
    await page.reload();
    await ending.waitFor();
    await isSoundInEveryLook(watched, 'trouble-length-limited');
    expect(watched.complaints).toEqual([]);
  });

  it('a message without a network stays, and is sent by Retry, with the keyboard alone', async () => {
    await open('phone-light');
    await talk.say('What is 12 * 7?');
    await talk.untilReady();
    await page.context().setOffline(true);
    await write(page.getByLabel('Message', { exact: true }), 'What is 40 * 70?');
    await page.keyboard.press('Enter');
    await page.getByText('Not sent').waitFor();
    await isSoundInEveryLook(watched, 'trouble-offline');
    await page.reload().catch(() => undefined);
    await page.context().setOffline(false);
    await page.goto('about:blank');
    await page.goBack();
    await page.getByText('Not sent').waitFor();
    await tabTo(page, /^Retry$/);
    await page.keyboard.press('Enter');
    await expect.poll(talk.lastAnswer, { timeout: 20_000 }).toContain('2800');
    expect(await page.getByText('Not sent').count()).toBe(0);
    expect(await page.getByTestId('human-text').allInnerTexts()).toEqual(['What is 12 * 7?', 'What is 40 * 70?']);
  });

  it('a missing conversation is reported, and a new one can be started', async () => {
    await open('phone-dark', '#/chat/no-such-session');
    await page.getByRole('alert').getByText(noSuch).waitFor();
    await isSoundInEveryLook(watched, 'trouble-unknown-session');
    await press(page.getByRole('alert').getByRole('button', { name: 'New conversation' }));
    await page.getByRole('alert').getByText(noSuch).waitFor({ state: 'detached' });
    await talk.say('What is 12 * 7?');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toContain('84');
  });

  it('a conversation of another user is reported as missing', async () => {
    await open('desktop-light');
    await talk.say('What is 12 * 7?');
    await talk.untilReady();
    const { hash } = new URL(page.url());
    await page.context().close();
    await open('desktop-light', hash);
    await page.getByRole('alert').getByText(noSuch).waitFor();
    expect(await page.getByTestId('human-text').count()).toBe(0);
    await isSoundInEveryLook(watched, 'trouble-foreign-session');
  });

  it('switches conversations with the keyboard alone', async () => {
    await open('desktop-dark');
    for (const question of ['What is 12 * 7?', 'What is 40 * 70?']) {
      await tabTo(page, /^New conversation$/);
      await page.keyboard.press('Enter');
      await tabTo(page, /^Message$/);
      await page.keyboard.type(question);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByTestId('human-text').allInnerTexts()).toEqual([question]);
      await expect.poll(() => page.getByTestId('ai-text').count(), { timeout: 20_000 }).toBe(1);
      await talk.untilReady();
    }
    await page.evaluate('document.activeElement.blur()');
    await tabTo(page, /^What is 12/);
    await page.keyboard.press('Enter');
    await expect.poll(talk.lastAnswer).toContain('84');
    await watched.picture('chat-switched-by-keyboard');
    expect(watched.complaints).toEqual([]);
  });
});
