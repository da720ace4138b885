/**
 * When the views of the playground are there for somebody on a slow phone: slow 3G as browsers' tools have it (400 ms to an answer, 400 kbit/s)
 * and a processor at a quarter of this machine's speed, with nothing kept from an earlier visit. Needs a Chromium.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { type Child, startChild } from './child-process.js';
import { printTable } from './print-table.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const BYTES_PER_SECOND = 400_000 / 8;

const root = process.env['BENCH_TREE'] ?? fileURLToPath(new URL('../..', import.meta.url));
const views = [
  { name: 'home', route: '', ready: 'main h1' },
  { name: 'first list of the chain', route: '#/chain', ready: 'tbody tr a' },
  { name: 'field of the chat', route: '#/chat', ready: 'textarea:not([disabled])' },
  { name: 'handset', route: '#/phone', ready: 'main button:not([disabled])' },
];

const children: Child[] = [];
const service = async (path: string, port: number, env: Record<string, string> = {}): Promise<void> => {
  const common = { PORT: String(port), RATE_LIMIT_MAX: '1000000', DATA_DIR: mkdtempSync(join(tmpdir(), 'slow-page-')) };
  const healthPath = path.includes('mock-node') ? {} : { healthPath: '/health' };
  children.push(
    await startChild(join(root, path, 'dist/main.js'), { port, ...healthPath, env: { ...common, ...env } }),
  );
};

await service('deploy/mock-node', 13_120, { MOCK_NODE_PORT: '13120' });
await service('services/proto-gateway', 13_121, { GRPC_TARGETS: '127.0.0.1:13120' });
await service('services/oracle-api', 13_122, { PROTO_GATEWAY_URL: 'http://127.0.0.1:13121' });
await service('services/ussd-gateway', 13_123);
await service('packages/playground', 13_124, {
  PROTO_GATEWAY_URL: 'http://127.0.0.1:13121',
  ORACLE_URL: 'http://127.0.0.1:13122',
  USSD_GATEWAY_URL: 'http://127.0.0.1:13123',
});

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});

/** Ms from the navigation until an element is there, and the bytes that came until then. */
async function visit(route: string, ready: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  const throughput = { downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 400, ...throughput });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // The page itself notes when: asking it from outside takes a slow processor a good while.
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(ready)}) === null) return;
    globalThis.readyAt = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true });`);
  await page.goto(`http://127.0.0.1:13124/${route}`, { waitUntil: 'commit' });
  await page.locator(ready).first().waitFor({ state: 'attached' });
  const ms = Number(await page.evaluate('globalThis.readyAt'));
  await context.close();
  return { ms, bytes };
}

const rows: string[][] = [];
try {
  for (const { name, route, ready } of views) {
    const visits: { ms: number; bytes: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(route, ready));
    const seconds = visits.map(({ ms }) => ms / 1000).toSorted((one, other) => one - other);
    const middle = seconds[Math.floor(seconds.length / 2)] ?? 0;
    const kilobytes = Math.max(...visits.map(({ bytes }) => bytes)) / 1000;
    rows.push([name, (seconds[0] ?? 0).toFixed(2), middle.toFixed(2), kilobytes.toFixed(0)]);
  }
  printTable(['view', 's, best', 's, middle', 'kB until then'], rows);
} finally {
  await browser.close();
  for (const child of children.toReversed()) await child.stop();
}
