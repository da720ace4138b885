import { findChromium } from '@mlango/test-services/find-chromium';
import { endPrograms } from '@mlango/test-services/program';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from './real-browser.js';

/** Pages on a playground, for the cases of one `describe`: each has its own profile, which is deleted after its case. */
export function pagesOn(start: () => Promise<string>) {
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    base = await start();
    browser = await openBrowser(findChromium());
  }, 120_000);
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await endPrograms();
  });
  return {
    base: () => base,
    /** A page without an address yet. */
    blank: (options?: BrowserContextOptions): Promise<WatchedPage> => openPage(browser, options),
  };
}
