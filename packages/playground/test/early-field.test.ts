import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults, overhang } from '@mlango/test-services/find-faults';
import { endPrograms } from '@mlango/test-services/program';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from './support/real-browser.js';
import { startOracle, startPlayground } from './support/running-doors.js';
import { talkOn } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)(
  'the field of the chat before the chat is there',
  { timeout: 60_000 },
  () => {
    let base: string;
    let browser: Browser;
    let watched: WatchedPage;
    let page: Page;
    /** Lets React come, which nothing of the chat can be shown without. */
    let arrive: () => void;

    beforeAll(async () => {
      base = await startPlayground({ ORACLE_URL: await startOracle() });
      browser = await openBrowser(executablePath);
    });
    afterAll(async () => {
      await browser?.close();
      await endPrograms();
    });
    beforeEach(async () => {
      watched = await openPage(browser);
      page = watched.page;
      const held = new Promise<void>((resolve) => (arrive = resolve));
      await page.route(/assets\/main-[^/]*\.js$/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${base}/#/chat`, { waitUntil: 'commit' });
    });
    afterEach(async () => {
      await page.context().close();
    });

    const field = () => page.getByLabel('Message', { exact: true });
    const caret = () =>
      page.evaluate(
        '[document.activeElement.value, document.activeElement.selectionStart, document.activeElement.selectionEnd]',
      );
    const untilTakenOver = async () => {
      arrive();
      await page.locator('.mlango-composer').waitFor();
    };

    it('hands over what was typed with the caret and the focus, and goes on', async () => {
      await field().click();
      await page.keyboard.type('What is 12 * 8?');
      for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight']) await page.keyboard.press(key);
      expect(await caret()).toEqual(['What is 12 * 8?', 13, 14]);
      expect(await findFaults(page)).toEqual([]);
      await watched.picture('chat-early');
      await untilTakenOver();
      expect(await field().count()).toBe(1);
      expect(await caret()).toEqual(['What is 12 * 8?', 13, 14]);
      await page.keyboard.type('7');
      await page.keyboard.press('Enter');
      const talk = talkOn(page);
      await page.getByTestId('ai-text').waitFor();
      await talk.untilReady();
      expect(await talk.lastAnswer()).toContain('84');
      expect(watched.complaints).toEqual([]);
    });

    it('sends what was sent in it as soon as the chat is there, once', async () => {
      const posts: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/oracle/messages')) posts.push(request.url());
      });
      await field().fill('Count to 20');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('Sends once the chat has loaded.').waitFor();
      expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
      await untilTakenOver();
      await page.getByTestId('human-text').getByText('Count to 20').waitFor();
      const talk = talkOn(page);
      await page.getByTestId('ai-text').waitFor();
      await talk.untilReady();
      expect(await field().inputValue()).toBe('');
      expect(posts).toHaveLength(1);
      expect(watched.complaints).toEqual([]);
    });

    it('takes a message back by typing on, and keeps it over a reload', async () => {
      await field().fill('Count to');
      await field().press('Enter');
      await field().press('End');
      await page.keyboard.type(' 30');
      expect(await page.getByText('Sends once').count()).toBe(0);
      await page.reload({ waitUntil: 'commit' });
      await expect.poll(() => field().inputValue(), { timeout: 15_000 }).toBe('Count to 30');
      await untilTakenOver();
      expect(await field().inputValue()).toBe('Count to 30');
      expect(await page.getByTestId('human-text').count()).toBe(0);
      expect(watched.complaints).toEqual([]);
    });

    it('leaves a draft that the chat had kept', async () => {
      await untilTakenOver();
      await field().fill('a draft');
      await page.unrouteAll();
      const again = new Promise<void>((resolve) => (arrive = resolve));
      await page.route(/assets\/main-[^/]*\.js$/, async (route) => {
        await again;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      await field().fill('Count to 5');
      await field().press('Enter');
      await untilTakenOver();
      await page.getByTestId('human-text').getByText('Count to 5').waitFor();
      expect(await page.getByTestId('human-text').allInnerTexts()).toEqual(['Count to 5']);
      await page.goto(`${base}/#/chat`);
      await expect.poll(() => field().inputValue(), { timeout: 15_000 }).toBe('a draft');
    });

    it('fits a small screen, and is gone where no chat is', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await field().fill('Count to 30');
      expect(await overhang(page)).toBe(0);
      await watched.picture('chat-early-small');
      await page.evaluate("location.hash = '#/chain'");
      await expect.poll(() => field().count()).toBe(0);
      await page.evaluate("location.hash = '#/chat'");
      await expect.poll(() => field().inputValue(), { timeout: 15_000 }).toBe('Count to 30');
    });
  },
);
