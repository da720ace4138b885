import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ChatPage, stagedChatPages } from './support/chat-pages.js';
import type { Dues } from './support/stage-plugin.js';
import type { Talk } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the chat with an oracle with a test plugin', { timeout: 60_000 }, () => {
  const dues: Dues = { claims: [] };
  const pages = stagedChatPages(dues);
  let watched: ChatPage;
  let page: Page;
  let talk: Talk;

  beforeEach(async () => {
    dues.claims = [];
    watched = await pages.open();
    ({ page, talk } = watched);
    await talk.untilListed();
  });

  it('shows reasoning separate from the answer', async () => {
    await talk.say('Think of a door');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toBe('It opens inwards.');
    await page.getByText('Reasoning').click();
    await page.getByText('Doors open inwards.').waitFor();
    await watched.picture('chat-reasoning');
    expect(watched.complaints).toEqual([]);
  });

  it('shows a component of the oracle', async () => {
    await talk.say('Show card Mlango');
    await page.locator('.notice-card').getByText('From the oracle').waitFor();
    await talk.untilReady();
    expect(await page.locator('.notice-card').innerText()).toContain('Mlango');
    await watched.picture('chat-component');
    expect(watched.complaints).toEqual([]);
  });

  it('shows the required payment, and sends the message after it', async () => {
    dues.claims = ['claim-of-the-test'];
    await page.getByLabel('Message', { exact: true }).fill('What is 12 * 7?');
    await page.keyboard.press('Enter');
    const notice = page.getByRole('alert').filter({ hasText: 'Payment required' });
    await notice.getByText('claim-of-the-test').waitFor();
    await talk.untilReady();
    await isSoundInEveryLook(watched, 'chat-payment');
    dues.claims = [];
    await talk.say('What is 12 * 7?');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toContain('84');
    await notice.waitFor({ state: 'detached' });
    // A refusal is a 402, which browsers log to the console.
    expect(watched.complaints.filter((one) => !one.includes('402'))).toEqual([]);
  });
});
