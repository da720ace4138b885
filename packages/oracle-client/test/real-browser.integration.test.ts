import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executablePath, openBrowser } from './real-browser.fixture.js';

describe.skipIf(executablePath === undefined)('a page in a real browser, on another port than the oracle', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser('browser-page.fixture.tsx');
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    ({ page, complaints } = await browser.newPage());
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  const did = () => page.locator('h1').innerText();

  it('starts a session, sends a message, and shows both texts after a reload', async () => {
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('connected').waitFor();
    await page.getByLabel('Message').fill('say Habari, Zürich 👋');
    await page.getByRole('button', { name: 'Send' }).click();
    // The run id is in a response header that CORS exposes.
    await page.getByText('ready finished connected').waitFor();
    const lines = await page.getByRole('listitem').allInnerTexts();
    expect(lines).toEqual(['human: say Habari, Zürich 👋', 'ai: Habari, Zürich 👋']);
    const before = await did();
    await page.reload();
    await page.getByText('ai: Habari, Zürich').waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(lines);
    expect(await did()).toBe(before);
  });

  it('is a user of its own, with a key that no script can read', async () => {
    const own = await did();
    const isReadable = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('mlango-identity');
          opening.onsuccess = () => {
            const reading = opening.result.transaction('keys').objectStore('keys').get('pair');
            reading.onsuccess = () => resolve((reading.result as CryptoKeyPair).privateKey.extractable);
          };
        }),
    );
    expect(isReadable).toBe(false);
    const { page: stranger } = await browser.newPage();
    await stranger.getByRole('button', { name: 'Begin' }).waitFor();
    expect(await stranger.locator('h1').innerText()).not.toBe(own);
    await stranger.context().close();
  });
});
