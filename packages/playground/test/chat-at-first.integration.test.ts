import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults } from '@mlango/test-services/find-faults';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { pagesOn } from './support/pages.js';
import type { WatchedPage } from './support/real-browser.js';
import { startOracle, startPlayground } from './support/running-doors.js';
import { counted, talkOn } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)(
  'the chat while only its first files have loaded',
  { timeout: 60_000 },
  () => {
    const pages = pagesOn(async () => {
      return startPlayground({ ORACLE_URL: await startOracle() });
    });
    let watched: WatchedPage;
    let page: Page;

    beforeEach(async () => {
      watched = await pages.blank();
      page = watched.page;
    });

    /** Holds files back until the returned function is called. */
    async function hold(files: RegExp): Promise<() => void> {
      let arrive = () => {};
      const held = new Promise<void>((resolve) => (arrive = resolve));
      await page.route(files, async (route) => {
        await held;
        await route.continue();
      });
      return arrive;
    }

    it('accepts a message in its own field, and sends it once, after the code for tokens and sockets has loaded', async () => {
      const arrive = await hold(/assets\/(write-token|esm|rendered-markdown)-[^/]*\.js$/);
      const posts: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/oracle/messages')) posts.push(request.url());
      });
      await page.goto(`${pages.base()}/#/chat`);
      await page.locator('.mlango-composer').getByLabel('Message', { exact: true }).click();
      await page.keyboard.type('Count to 20');
      await page.keyboard.press('Enter');
      await page.getByTestId('human-text').getByText('Count to 20').waitFor();
      expect(posts).toEqual([]);
      arrive();
      await page.getByTestId('ai-text').waitFor();
      const talk = talkOn(page);
      await talk.untilReady();
      expect(await talk.lastAnswer()).toContain(counted(20));
      expect(posts).toHaveLength(1);
      expect(watched.complaints).toEqual([]);
    });

    it('shows an answer as plain text, until the Markdown code has loaded', async () => {
      const arrive = await hold(/assets\/rendered-markdown-[^/]*\.js$/);
      await page.goto(`${pages.base()}/#/chat`);
      const talk = talkOn(page);
      await talk.untilListed();
      await talk.say('Count to 20');
      await talk.untilReady();
      expect(await talk.lastAnswer()).toContain(counted(20));
      expect(await page.locator('.mlango-written').count()).toBe(1);
      expect(await findFaults(page)).toEqual([]);
      arrive();
      await expect.poll(() => page.locator('.mlango-written').count()).toBe(0);
      expect(await talk.lastAnswer()).toContain(counted(20));
      expect(watched.complaints).toEqual([]);
    });
  },
);
