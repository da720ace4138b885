import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findChromium } from '@mlango/test-services/find-chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundledPage } from './bundled-page.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('a page in a real browser, on another port than the oracle', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let address: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    const script = await bundledPage('browser-page.fixture.tsx');
    server = createServer(({ url }, reply) => {
      const isScript = url === '/page.js';
      reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      reply.end(
        isScript
          ? script
          : '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script src="/page.js"></script>',
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const query = new URLSearchParams({ oracleDid, baseUrl });
    address = `http://localhost:${(server.address() as AddressInfo).port}/?${query}`;
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  beforeEach(async () => {
    complaints.length = 0;
    page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });

  const did = () => page.locator('h1').innerText();

  it('begins a session, says something, is answered, and has both again after a reload', async () => {
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('connected').waitFor();
    await page.getByLabel('Message').fill('say Habari, Zürich 👋');
    await page.getByRole('button', { name: 'Send' }).click();
    // The run is known by a header of the reply, which a page may read only where the oracle says so.
    await page.getByText('ready finished connected').waitFor();
    const lines = await page.getByRole('listitem').allInnerTexts();
    expect(lines).toEqual(['human: say Habari, Zürich 👋', 'ai: Habari, Zürich 👋']);
    const before = await did();
    await page.reload();
    await page.getByText('ai: Habari, Zürich').waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(lines);
    expect(await did()).toBe(before);
  });

  it('is a user of its own, by a key that no script can read', async () => {
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
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(address);
    await stranger.getByRole('button', { name: 'Begin' }).waitFor();
    expect(await stranger.locator('h1').innerText()).not.toBe(own);
    await stranger.context().close();
  });
});
