import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ChatPage, chatPagesOn } from './support/chat-pages.js';
import { chooseFiles, tabTo, write } from './support/keyboard.js';
import { oracleEntity, startOracle, startPlayground } from './support/running-doors.js';
import { talkOn } from './support/talk.js';

const executablePath = findChromium();

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = { name: 'goat.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
const words = { name: 'prices of this week.txt', mimeType: 'text/plain', buffer: Buffer.from('Milk is 12.') };
const program = { name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ\u0000\u0001') };

describe.skipIf(executablePath === undefined)('files of messages', { timeout: 90_000 }, () => {
  const pages = chatPagesOn(async () => startPlayground({ ORACLE_URL: await startOracle(), ORACLE_DID: oracleEntity }));
  let watched: ChatPage;
  let page: Page;

  beforeEach(async () => {
    watched = await pages.open();
    ({ page } = watched);
    await watched.talk.untilListed();
  });

  async function choose(...files: (typeof picture)[]): Promise<void> {
    await chooseFiles(page.getByRole('button', { name: 'Attach files' }), files);
  }

  it('are selected and sent by the keyboard alone, and are shown after a reload', async () => {
    await choose(picture, words);
    for (const { name } of [picture, words]) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
    await isSoundInEveryLook(watched, 'chat-attaching');
    await write(page.getByLabel('Message', { exact: true }), 'What is in these files?');
    await page.keyboard.press('Enter');
    await page.getByTestId('ai-text').first().waitFor();
    await talkOn(page).untilReady();
    await page.reload();
    const sent = page.getByRole('article', { name: 'You' });
    await sent.getByRole('img').first().waitFor();
    await sent.getByRole('button', { name: `Open ${words.name}` }).waitFor();
    await isSoundInEveryLook(watched, 'chat-attached');
    expect(watched.complaints).toEqual([]);
  });

  it('of an unsupported type show an error and can be removed', async () => {
    await choose(program);
    await page.getByText('This oracle cannot read this type of file').waitFor();
    await isSoundInEveryLook(watched, 'chat-attachment-refused');
    await tabTo(page, /^Remove setup\.exe$/);
    await page.keyboard.press('Enter');
    await page.getByText('This oracle cannot read this type of file').waitFor({ state: 'detached' });
  });
});
