// A page in a real Chromium, talking to a real oracle on loopback: a tool of the oracle and its card, a tool of the tab, an approval, a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { delimiter, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from './project-files.mjs';

const { chromium } = createRequire(join(repositoryRoot, 'packages/oracle-client/package.json'))('playwright-core');
const ORACLE = join(repositoryRoot, 'examples/weather-oracle/dist/main.js');
const START_LIMIT_MS = 60_000;
const TYPES = new Map([
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.html', 'text/html'],
]);

/** Its path; undefined where there is none, and none is demanded. */
export function findChromium() {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
  const found = places.find((place) => existsSync(place));
  if (found === undefined && process.env['REQUIRE_REAL_SERVICES'] === '1')
    throw new Error('There is no Chromium in PATH');
  if (found === undefined) console.log('Skipped: the page in a browser (no Chromium in PATH)');
  return found;
}

/**
 * @param {string} dataFolder - of the oracle
 * @returns {Promise<{ did: string, url: string, stop: () => Promise<unknown> }>}
 */
export async function startOracle(dataFolder) {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: dataFolder,
    DRAIN_DELAY_MS: '0',
    LOCAL_MODEL_PACE_MS: '0',
  };
  const child = spawn(process.execPath, [ORACLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  let did = '';
  for await (const line of createInterface({ input: child.stdout })) {
    did = /"oracleDid":"([^"]+)"/.exec(line)?.[1] ?? did;
    const url = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (url === undefined || did === '') continue;
    clearTimeout(limit);
    child.stdout.resume();
    return { did, url, stop };
  }
  throw new Error('the oracle did not start');
}

/** @param {string} folder - what was built for browsers */
async function served(folder) {
  const server = createServer(({ url = '/' }, reply) => {
    const file = join(folder, url === '/' ? 'index.html' : new URL(url, 'http://localhost').pathname);
    if (!existsSync(file)) return void reply.writeHead(404).end();
    reply.setHeader('content-type', TYPES.get(extname(file)) ?? 'application/octet-stream');
    createReadStream(file).pipe(reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://localhost:${typeof address === 'object' ? address?.port : ''}/` };
}

/**
 * Rejects with what a user of the page would miss.
 * @param {string} executablePath - of Chromium
 * @param {string} folder - the page, built
 */
export async function tryPage(executablePath, folder) {
  const { server, url } = await served(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const page = await browser.newPage();
  try {
    /** @type {string[]} */
    const complaints = [];
    page.on('pageerror', (/** @type {Error} */ error) => complaints.push(error.message));
    const hear = (/** @type {{ type(): string, text(): string }} */ message) => {
      if (message.type() === 'error') complaints.push(message.text());
    };
    page.on('console', hear);
    const answer = (/** @type {RegExp} */ text) => page.getByTestId('ai-text').filter({ hasText: text }).waitFor();
    const say = async (/** @type {string} */ message) => {
      await page.getByLabel('Message', { exact: true }).fill(message);
      await page.getByRole('button', { name: 'Send' }).click();
    };
    await page.goto(url);
    await page.getByRole('button', { name: 'What is the weather in Nairobi?' }).click();
    await page
      .getByRole('region', { name: 'Nairobi' })
      .filter({ hasText: /sunny\s*21 °C/ })
      .waitFor();
    await say('use the tool read_clock');
    await answer(/read_clock gave back.*time/);
    await say('use the tool warn with {"city": "Nairobi"}');
    await page.getByText('Warn everybody in Nairobi').waitFor();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await answer(/warn gave back.*true/);
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Goats by the river') };
    await page.setInputFiles('input[type=file]', notes);
    await say('use the tool read_attachment with {"filename": "notes.txt"}');
    await page.getByRole('button', { name: 'Open notes.txt' }).waitFor();
    await answer(/read_attachment gave back.*Goats by the river/);
    if (complaints.length > 0) throw new Error(`The console says: ${complaints.join('\n')}`);
  } catch (error) {
    const shown = await page.innerText('body').catch(() => 'nothing');
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nThe page shows:\n${shown}`, {
      cause: error,
    });
  } finally {
    await browser.close();
    server.close();
  }
}
