/** Streams a long answer in Markdown into the client's components, in Chromium, and prints the cost of one frame. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { printTable } from './table.js';

const tokensPerSecond = 300;
const limitMs = 16;

/** As `streamed-answer.tsx` of the page gives it. */
interface Streamed {
  readonly scriptMs: readonly number[];
  readonly movedPx: number;
  readonly rows: number;
}

const output = await build({
  root: fileURLToPath(new URL('../page', import.meta.url)),
  configFile: false,
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  build: {
    write: false,
    target: 'es2022',
    rollupOptions: {
      input: fileURLToPath(new URL('../page/streamed-answer.tsx', import.meta.url)),
      output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
});
const parts = [output].flat().flatMap((each) => ('output' in each ? each.output : []));
const files = new Map(parts.map((part) => [`/${part.fileName}`, 'code' in part ? part.code : part.source]));
const page =
  '<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/page.css"><body style="margin:0"><div id="root" style="height:100vh"></div><script type="module" src="/page.js"></script>';
const server = createServer(({ url = '' }, reply) => {
  const file = files.get(url);
  const type = url.endsWith('.css') ? 'text/css' : url.endsWith('.js') ? 'text/javascript' : 'text/html';
  reply.setHeader('content-type', type).end(file ?? page);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const quantile = (sorted: readonly number[], of: number) => sorted[Math.floor((sorted.length - 1) * of)] ?? Number.NaN;

try {
  const rows: string[][] = [];
  for (const isReading of [false, true]) {
    const tab = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForFunction('globalThis.stream');
    const streamed = (await tab.evaluate(`stream(${tokensPerSecond}, ${isReading})`)) as Streamed;
    const sorted = streamed.scriptMs.toSorted((one, other) => one - other);
    const figures = [0.5, 0.95, 1].map((of) => quantile(sorted, of));
    const what = isReading ? 'read further up' : 'followed to its end';
    const moved = isReading ? streamed.movedPx.toFixed(1) : '-';
    rows.push([what, String(sorted.length), ...figures.map((ms) => ms.toFixed(2)), moved]);
    if (streamed.rows !== 200) throw new Error('the table is not whole');
    if (quantile(sorted, 0.5) >= limitMs || streamed.movedPx > 0.5) process.exitCode = 1;
    await tab.close();
  }
  printTable(['An answer that is', 'frames', 'median ms', '95th', 'most', 'moved px'], rows);
} finally {
  await browser.close();
  server.close();
}
