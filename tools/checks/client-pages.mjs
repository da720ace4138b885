// The page of the client's README in new Vite apps: installed from the packed client with the oldest and the newest React and zod,
// type-checked, bundled, and used in Chromium with examples/weather-oracle. Needs the build and a package registry.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { preview } from 'vite';
import { startListening } from './listening-service.mjs';
import { pack } from './packing.mjs';
import { outputOf } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit } from './report.mjs';

const LONGEST_PAGE_LINES = 40;
const PAGE = join(repositoryRoot, 'examples/oracle-page');
const { chromium } = createRequire(join(repositoryRoot, 'packages/oracle-client/package.json'))('playwright-core');
const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path));

const REACT_18 = { react: '18.3.1', 'react-dom': '18.3.1', '@types/react': '18.3.31', '@types/react-dom': '18.3.7' };
const REACT_19 = { react: '19.3.1', 'react-dom': '19.3.1', '@types/react': '19.3.0', '@types/react-dom': '19.3.0' };
const NEIGHBOURS = [
  { ...REACT_18, zod: '3.22.0' },
  { ...REACT_18, zod: '3.25.76' },
  { ...REACT_19, zod: '4.6.7' },
];

/** Checks that the client reads schemas of the zod that the page has. */
const SCHEMAS = `import assert from 'node:assert/strict';
import { z } from 'zod';
import { jsonSchemaOf } from './node_modules/@mlango/oracle-client/dist/api/tools/declared-tools.js';
import { checkArgs } from './node_modules/@mlango/oracle-client/dist/api/tools/tool-schema.js';
const schema = z.object({ city: z.string().min(1).describe('where'), days: z.number().int().optional() });
const { type, properties, required } = await jsonSchemaOf(schema);
assert.deepEqual([type, required, properties.days.type], ['object', ['city'], 'integer']);
assert.deepEqual(properties.city, { type: 'string', minLength: 1, description: 'where' });
assert.deepEqual(await checkArgs(schema, { city: 'Kisumu', other: 1 }), { city: 'Kisumu' });
await assert.rejects(checkArgs(schema, { city: 7 }), /^TypeError: The arguments do not fit: city: /);
`;
const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'preserve',
  moduleResolution: 'bundler',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: ['vite/client'],
  jsx: 'react-jsx',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The page that the README of the client shows, which is that of the example. */
function pageOfReadme() {
  const readme = readFileSync(join(repositoryRoot, 'packages/oracle-client/README.md'), 'utf8');
  const [, page = ''] = /```tsx\n([\s\S]*?)```/.exec(readme) ?? [];
  if (page !== readFileSync(join(PAGE, 'src/main.tsx'), 'utf8'))
    throw new Error('The README shows another page than examples/oracle-page');
  if (page.split('\n').length - 1 > LONGEST_PAGE_LINES)
    throw new Error(`The page has more than ${LONGEST_PAGE_LINES} lines`);
  return page;
}

/**
 * @param {string} place
 * @returns {Promise<{ did: string, url: string, stop: () => Promise<string> }>}
 */
async function startOracle(place) {
  const settings = { DATA_DIR: join(place, 'data'), LOCAL_MODEL_PACE_MS: '0' };
  const { address, service, stop } = await startListening('examples/weather-oracle/dist/main.js', settings, {
    cwd: place,
  });
  const did = /"oracleDid":"([^"]+)"/.exec(service.lastLines.join('\n'))?.[1] ?? '';
  return { did, url: address, stop };
}

/**
 * Uses the built page: a tool of the oracle and its card, a tool of the tab, an approval, a file.
 * @param {string} folder - of the app
 */
async function usePage(folder) {
  const server = await preview({ root: folder, configFile: false, logLevel: 'silent', preview: { port: 0 } });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const page = await browser.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (/** @type {Error} */ error) => complaints.push(error.message));
  page.on('console', (/** @type {{ type(): string, text(): string }} */ message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const answer = (/** @type {RegExp} */ text) => page.getByTestId('ai-text').filter({ hasText: text }).waitFor();
  const send = async (/** @type {string} */ message) => {
    await page.getByLabel('Message', { exact: true }).fill(message);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  try {
    await page.goto(server.resolvedUrls?.local[0]);
    await page.getByRole('button', { name: 'What is the weather in Nairobi?' }).click();
    const card = page.getByRole('region', { name: 'Nairobi' });
    await card.filter({ hasText: /sunny\s*21 °C/ }).waitFor();
    await send('use the tool read_clock');
    await answer(/read_clock gave back.*time/);
    await send('use the tool warn with {"city": "Nairobi"}');
    await page.getByText('Warn everybody in Nairobi').waitFor();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await answer(/warn gave back.*true/);
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Goats by the river') };
    await page.setInputFiles('input[type=file]', notes);
    await send('use the tool read_attachment with {"filename": "notes.txt"}');
    await page.getByRole('button', { name: 'Open notes.txt' }).waitFor();
    await answer(/read_attachment gave back.*Goats by the river/);
    if (complaints.length > 0) throw new Error(`The console shows: ${complaints.join('\n')}`);
  } catch (error) {
    const shown = await page.innerText('body').catch(() => 'nothing');
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nThe page shows:\n${shown}`, {
      cause: error,
    });
  } finally {
    await browser.close();
    await server.close();
  }
}

/**
 * @param {string} archive - of the client
 * @param {string} folder - to install into
 * @param {Readonly<Record<string, string>>} neighbours
 * @param {{ did: string, url: string }} oracle
 */
async function tryApp(archive, folder, neighbours, oracle) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  cpSync(join(PAGE, 'index.html'), join(folder, 'index.html'));
  writeFileSync(join(folder, 'src/main.tsx'), pageOfReadme());
  writeFileSync(join(folder, 'schemas.mjs'), SCHEMAS);
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'node_modules/vite/package.json'), 'utf8'));
  const dependencies = { ...neighbours, '@mlango/oracle-client': `file:${archive}`, vite: version };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }));
  const settings = { NODE_ENV: 'development', VITE_ORACLE_DID: oracle.did, VITE_ORACLE_URL: oracle.url };
  const run = (/** @type {string} */ command, env = {}) =>
    execFileSync(command, { cwd: folder, env: { ...process.env, ...settings, ...env }, stdio: 'pipe', shell: true });
  run('npm install --prefer-offline --no-audit --no-fund --ignore-scripts --loglevel=error');
  run(`node "${join(repositoryRoot, 'node_modules/typescript/bin/tsc')}" -p .`);
  run('node schemas.mjs');
  run('node node_modules/vite/bin/vite.js build --logLevel error --target es2022', { NODE_ENV: 'production' });
  if (executablePath !== undefined) await usePage(folder);
}

if (executablePath === undefined && process.env['REQUIRE_REAL_SERVICES'] === '1')
  throw new Error('There is no Chromium in PATH');
if (executablePath === undefined) console.log('Skipped: the page in a browser (no Chromium in PATH)');
const place = mkdtempSync(join(tmpdir(), 'client-pages-'));
const oracle = await startOracle(place);
/** @type {string[]} */
const problems = [];
try {
  const archive = await pack('packages/oracle-client', place);
  for (const [index, neighbours] of NEIGHBOURS.entries()) {
    await tryApp(archive, join(place, String(index)), neighbours, oracle).catch((error) => {
      problems.push(`with React ${neighbours.react} and zod ${neighbours.zod}:\n${outputOf(error)}`);
    });
  }
} finally {
  await oracle.stop();
  rmSync(place, { recursive: true });
}
reportAndExit('client pages', problems);
