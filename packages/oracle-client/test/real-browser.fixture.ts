import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findChromium } from '@mlango/test-services/find-chromium';
import { chromium, type Page } from 'playwright-core';
import { bundledPage } from './bundled-page.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';

export const executablePath = findChromium();

const html =
  '<!doctype html><html lang="en"><title>Page</title><meta charset="utf-8"><link rel="icon" href="data:,"><body style="margin:0"><div id="root" style="height:100vh"></div><script src="/page.js"></script>';

/** A Chromium for a page of this folder; the address contains the oracle's URL. */
export async function openBrowser(fixture: string, args: readonly string[] = []) {
  const script = await bundledPage(fixture);
  const server = createServer(({ url }, reply) => {
    const isScript = url === '/page.js';
    reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    reply.end(isScript ? script : html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const query = new URLSearchParams({ oracleDid, baseUrl });
  const address = `http://localhost:${(server.address() as AddressInfo).port}/?${query}`;
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
  return {
    /** A page of a new user, and its console errors. */
    newPage: async (): Promise<{ readonly page: Page; readonly complaints: string[] }> => {
      const page = await (await browser.newContext()).newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(address);
      return { page, complaints };
    },
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
