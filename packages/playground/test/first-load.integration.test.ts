import { findChromium } from '@mlango/test-services/find-chromium';
import { endPrograms } from '@mlango/test-services/program';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './support/real-browser.js';
import { startPlayground } from './support/running-doors.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the first load of a view', { timeout: 60_000 }, () => {
  let base: string;
  let browser: Browser;

  beforeAll(async () => {
    base = await startPlayground({});
    browser = await openBrowser(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await endPrograms();
  });

  it.each([
    { route: '', last: /home-[^/]*\.css$/, ready: 'main h1', later: [] },
    { route: '#/phone', last: /phone-page-[^/]*\.css$/, ready: 'main h1', later: [] },
    {
      route: '#/chain',
      last: /chain-page-[^/]*\.css$/,
      ready: 'main h2',
      later: ['other-views', 'facts', 'not-found'],
    },
    // A chat is usable before its first token can be signed, its socket code and the code for answers.
    {
      route: '#/chat',
      last: /chat-[^/]*\.css$/,
      ready: '.mlango-composer',
      later: ['write-token', 'esm', 'rendered-markdown', 'default', 'dist'],
    },
  ])('requests all its files before any has loaded: $route', async ({ route, last, ready, later }) => {
    const { page } = await openPage(browser);
    let arrive = () => {};
    const held = new Promise<void>((resolve) => (arrive = resolve));
    const requested = new Set<string>();
    await page.route('**/assets/**', async (request) => {
      requested.add(new URL(request.request().url()).pathname.replace(/^\/assets\/(.*)-.{8}\.\w+$/, '$1'));
      await held;
      await request.continue();
    });
    // The page lists all of them at once, and that file is the last.
    const named = page.waitForRequest(last);
    await page.goto(`${base}/${route}`, { waitUntil: 'commit' });
    await named;
    const atOnce = new Set(requested);
    arrive();
    await page.locator(ready).first().waitFor();
    expect([...requested].filter((file) => !atOnce.has(file) && !later.includes(file))).toEqual([]);
    await page.context().close();
  });
});
