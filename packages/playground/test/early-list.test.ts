import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults, overhang } from '@mlango/test-services/find-faults';
import { endPrograms } from '@mlango/test-services/program';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from './support/real-browser.js';
import { startPlayground, startQueryGateway } from './support/running-doors.js';

const executablePath = findChromium();
const firstId = 'did:ixo:entity:e0001';

describe.skipIf(executablePath === undefined)(
  'the list of the chain before the explorer is there',
  { timeout: 60_000 },
  () => {
    let base: string;
    let browser: Browser;
    let watched: WatchedPage;
    let page: Page;
    /** Lets React come, which the explorer cannot be shown without. */
    let arrive: () => void;

    beforeAll(async () => {
      base = await startPlayground({ PROTO_GATEWAY_URL: await startQueryGateway() });
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
    });
    afterEach(async () => {
      await page.context().close();
    });

    const open = (hash: string) => page.goto(`${base}/${hash}`, { waitUntil: 'commit' });
    const early = () => page.locator('.early-list');
    const cells = (of: string) => page.locator(`${of} tr`).evaluateAll((rows) => rows.map((row) => row.textContent));

    it('is the list that the explorer shows, and goes as that comes', async () => {
      await open('#/chain');
      await early().getByRole('link', { name: firstId, exact: true }).waitFor();
      expect(await findFaults(page)).toEqual([]);
      expect(await overhang(page)).toBeLessThanOrEqual(0);
      const shown = await cells('.early-list');
      arrive();
      await page.locator('#main').getByRole('link', { name: firstId, exact: true }).waitFor();
      expect(await early().count()).toBe(0);
      expect(await cells('#main')).toEqual(shown);
      expect(shown).toHaveLength(21);
      expect(await watched.layoutShift()).toBeLessThan(0.01);
    });

    it('hands the focus over to the same link', async () => {
      await open('#/chain/entities');
      const link = early().getByRole('link').nth(2);
      await link.focus();
      const href = await link.getAttribute('href');
      arrive();
      await page.locator('#main table').waitFor();
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(href);
      expect(await page.evaluate('document.activeElement.closest("#main") !== null')).toBe(true);
    });

    it('leads on before the explorer is there', async () => {
      await open('#/chain');
      await early().getByRole('link', { name: firstId, exact: true }).click();
      expect(await early().textContent()).toBe('Loading…');
      arrive();
      await page.getByText('What a conversation costs').first().waitFor();
      expect(await early().count()).toBe(0);
    });

    it('is not shown where another list was asked for', async () => {
      await open('#/chain/claims');
      arrive();
      await page.getByText('bafkreia2cpcy').first().waitFor();
      expect(await early().count()).toBe(0);
    });
  },
);
