// The React client as somebody installs it: packed, put with npm into new Vite apps beside the oldest and the newest React and zod that it takes,
// with the page of its README for all of their code. That is type-checked, bundled, and tried in a real Chromium with a real oracle. Schemas
// of tools are said and checked by the zod of the page. Needs the build and a package registry.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './packing.mjs';
import { findChromium, startOracle, tryPage } from './page-in-browser.mjs';
import { outputOf } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const LINES_OF_ONES_OWN = 40;
const chromium = findChromium();
const PAGE = join(repositoryRoot, 'examples/oracle-page');
const TSC = join(repositoryRoot, 'node_modules/typescript/bin/tsc');

/** @type {readonly Readonly<Record<string, string>>[]} */
const NEIGHBOURS = [
  { react: '18.3.1', 'react-dom': '18.3.1', '@types/react': '18.3.31', '@types/react-dom': '18.3.7', zod: '3.22.0' },
  { react: '18.3.1', 'react-dom': '18.3.1', '@types/react': '18.3.31', '@types/react-dom': '18.3.7', zod: '3.25.76' },
  { react: '19.3.1', 'react-dom': '19.3.1', '@types/react': '19.3.0', '@types/react-dom': '19.3.0', zod: '4.6.7' },
];

/** What becomes of a schema that the page makes with the zod that it has. */
const SCHEMAS = `import assert from 'node:assert/strict';
import { z } from 'zod';
import { checkArgs } from './node_modules/@mlango/oracle-client/dist/actions/check-args.js';
import { jsonSchemaOf } from './node_modules/@mlango/oracle-client/dist/actions/json-schema.js';
const schema = z.object({ city: z.string().min(1).describe('where'), days: z.number().int().optional() });
const { type, properties, required } = await jsonSchemaOf(schema);
assert.deepEqual([type, required, properties.days.type], ['object', ['city'], 'integer']);
assert.deepEqual(properties.city, { type: 'string', minLength: 1, description: 'where' });
assert.deepEqual(await checkArgs(schema, { city: 'Kisumu', other: 1 }), { city: 'Kisumu' });
await assert.rejects(checkArgs(schema, { city: 7 }), /^TypeError: The arguments do not fit: city: /);
`;

/** The page as the README of the client shows it, which is that of the example. */
function pageOfReadme() {
  const readme = readFileSync(join(repositoryRoot, 'packages/oracle-client/README.md'), 'utf8');
  const [, page = ''] = /```tsx\n([\s\S]*?)```/.exec(readme) ?? [];
  if (page !== readFileSync(join(PAGE, 'src/main.tsx'), 'utf8'))
    throw new Error('The README shows another page than examples/oracle-page');
  if (page.split('\n').length - 1 > LINES_OF_ONES_OWN) throw new Error('The page of the README has more than 40 lines');
  return page;
}

/**
 * @param {string} program - in the path
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} [settings]
 */
function run(program, args, cwd, settings = {}) {
  const env = { ...process.env, NODE_ENV: 'development', ...settings };
  execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });
}

/**
 * @param {string} archive - of the packed client
 * @param {string} folder - to install into
 * @param {Readonly<Record<string, string>>} neighbours
 * @param {{ did: string, url: string }} oracle
 * @returns {Promise<string[]>} what does not fit
 */
async function problemsWith(archive, folder, neighbours, oracle) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  cpSync(join(PAGE, 'index.html'), join(folder, 'index.html'));
  writeFileSync(join(folder, 'src/main.tsx'), pageOfReadme());
  writeFileSync(join(folder, 'schemas.mjs'), SCHEMAS);
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'node_modules/vite/package.json'), 'utf8'));
  const manifest = {
    private: true,
    type: 'module',
    dependencies: { ...neighbours, '@mlango/oracle-client': `file:${archive}`, vite: version },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const compilerOptions = {
    target: 'es2022',
    module: 'preserve',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['vite/client'],
    jsx: 'react-jsx',
    strict: true,
    exactOptionalPropertyTypes: true,
    // Of libraries only what the page uses counts.
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  try {
    run(
      'npm',
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
      folder,
    );
    run(process.execPath, [TSC, '-p', folder], folder);
    run(process.execPath, ['schemas.mjs'], folder);
    const settings = { NODE_ENV: 'production', VITE_ORACLE_DID: oracle.did, VITE_ORACLE_URL: oracle.url };
    const build = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error', '--target', 'es2022'];
    run(process.execPath, build, folder, settings);
    if (chromium !== undefined) await tryPage(chromium, join(folder, 'dist'));
    return [];
  } catch (error) {
    return [`with React ${neighbours['react']} and zod ${neighbours['zod']}:\n${outputOf(error)}`];
  }
}

if (runsDirectly(import.meta.url)) {
  const place = mkdtempSync(join(tmpdir(), 'packed-client-'));
  const oracle = await startOracle(join(place, 'data'));
  try {
    const archive = await pack('packages/oracle-client', place);
    const problems = [];
    for (const [index, neighbours] of NEIGHBOURS.entries()) {
      problems.push(...(await problemsWith(archive, join(place, String(index)), neighbours, oracle)));
    }
    reportAndExit('packed client', problems);
  } finally {
    await oracle.stop();
    rmSync(place, { recursive: true });
  }
}
