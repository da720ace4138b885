// npm run test:packages: the published packages as an installer gets them. Each archive passes publint and "are the types wrong";
// npm installs them in folders outside this workspace, where Node 20 and 24 open every entry point, verify tokens, call gRPC and run
// examples/weather-oracle. Needs the build and a package registry. client-pages.mjs does the same for pages.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toolEnv } from '../bootstrap/process/tool-env.mjs';
import { manifestIn, PUBLISHED, pack } from './packing.mjs';
import { outputOf } from './pnpm.mjs';
import { projectFiles, repositoryRoot } from './project-files.mjs';
import { reportAndExit } from './report.mjs';

const NODES = { 20: '20.20.2', 24: '24.21.0' };
const EXAMPLE = join(repositoryRoot, 'examples/weather-oracle');
const PEER = '@grpc/grpc-js';
const execute = promisify(execFile);
const bin = (/** @type {string} */ program) => join(repositoryRoot, 'node_modules/.bin', program);
const inScope = (/** @type {string[]} */ ...names) => names.map((name) => `@mlango/${name}`);

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
async function run(program, args, cwd = repositoryRoot) {
  const shell = process.platform === 'win32' && program !== process.execPath;
  await execute(program, args, { cwd, env: toolEnv(process.env, repositoryRoot), shell, maxBuffer: 64 * 1024 * 1024 });
}

/**
 * @param {string} folder - to be made
 * @param {Readonly<Record<string, string>>} dependencies
 */
async function install(folder, dependencies) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quiet], folder);
  cpSync(join(repositoryRoot, 'tools/checks/installed'), folder, { recursive: true });
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  for (const [path, { resolved }] of Object.entries(packages)) {
    if (!/node_modules\/@mlango\/[^/]+$/.test(path) || resolved?.startsWith('file:')) continue;
    throw new Error(`${path} came from ${resolved}, not from its archive`);
  }
}

/**
 * @param {string} place
 * @param {[major: string, version: string]} node
 * @returns {Promise<string>} path of a Node of that major: this one, or one from the registry
 */
async function nodeOf(place, [major, version]) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const folder = join(place, `node-${major}`);
  await install(folder, { node: version });
  const home = join(folder, 'node_modules/node');
  await run(process.execPath, ['installArchSpecificPackage.js'], home);
  return join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Compiles the example against the installed packages.
 * @param {string} folder
 */
async function compileExample(folder) {
  const filter = (/** @type {string} */ path) => !path.endsWith('.test.ts');
  cpSync(join(EXAMPLE, 'src'), join(folder, 'src'), { recursive: true, filter });
  const options = { target: 'es2023', module: 'nodenext', types: [], strict: true, exactOptionalPropertyTypes: true };
  const compilerOptions = { ...options, skipLibCheck: true, rootDir: 'src', outDir: 'dist' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await run(bin('tsc'), ['-p', folder]);
}

/**
 * Installs and runs the archives. One folder per use: npm's flat node_modules would hide a missing dependency of one package
 * behind another package.
 * @param {Readonly<Record<string, string>>} archives - by package name
 * @param {string} place
 */
async function runInstalled(archives, place) {
  const pick = (/** @type {readonly string[]} */ names) =>
    Object.fromEntries(names.map((name) => [name, archives[name] ?? '']));
  const peer = manifestIn(join(repositoryRoot, 'packages/grpc-channel/node_modules', PEER)).version;
  const others = Object.keys(manifestIn(EXAMPLE).dependencies ?? {}).filter((name) => !(name in archives));
  const neighbours = others.map((name) => [name, manifestIn(join(EXAMPLE, 'node_modules', name)).version]);
  const [channel, tokens, chains] = [
    inScope('grpc-channel'),
    inScope('async', 'crypto', 'outbound', 'ucan-auth'),
    inScope('transcoder', 'cosmos-rest'),
  ];
  // `oracle-client` needs a browser and an optional peer for one of its entry points.
  const all = Object.keys(archives).filter((name) => !inScope('oracle-client', 'grpc-channel').includes(name));
  const folder = (/** @type {string} */ name) => join(place, name);
  const [nodes] = await Promise.all([
    Promise.all(Object.entries(NODES).map((node) => nodeOf(place, node))),
    install(folder('channel'), { ...pick(channel), [PEER]: peer }),
    install(folder('tokens'), pick(tokens)),
    install(folder('chains'), pick(chains)),
    install(folder('oracle'), { ...archives, ...Object.fromEntries(neighbours) }).then(() =>
      compileExample(folder('oracle')),
    ),
  ]);
  const oldest = nodes[Object.keys(NODES).indexOf('20')] ?? process.execPath;
  const npm = process.env['npm_execpath'] ?? '';
  const strict = ['install', '--engine-strict', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run(oldest, [npm, ...strict], folder('oracle'));
  for (const [index, node] of nodes.entries()) {
    await run(node, ['entry-points.mjs', ...channel], folder('channel'));
    await run(node, ['channel.mjs'], folder('channel'));
    await run(node, ['entry-points.mjs', ...tokens], folder('tokens'));
    await run(node, ['token.mjs'], folder('tokens'));
    await run(node, ['entry-points.mjs', ...chains], folder('chains'));
    await run(node, ['first-examples.mjs', ...chains], folder('chains'));
    await run(node, ['entry-points.mjs', ...all], folder('oracle'));
    await run(node, ['oracle.mjs', 'dist/main.js', folder(`data-${index}`)], folder('oracle'));
  }
}

const place = mkdtempSync(join(tmpdir(), 'packages-'));
try {
  const publicFolders = projectFiles()
    .filter((file) => file.endsWith('/package.json') && file !== 'tools/pnpm/package.json')
    .map(dirname)
    .filter((folder) => !manifestIn(join(repositoryRoot, folder)).private);
  const unlisted = publicFolders.filter((folder) => !PUBLISHED.includes(folder));
  if (unlisted.length > 0) throw new Error(`${unlisted.join(', ')}: neither private nor listed in packing.mjs`);
  /** @type {Record<string, string>} */
  const archives = {};
  for (const folder of PUBLISHED) {
    const archive = await pack(folder, place);
    archives[manifestIn(join(repositoryRoot, folder)).name] = `file:${archive}`;
    await run(bin('publint'), ['--strict', archive]);
    // ES modules only; styles have no types.
    await run(bin('attw'), [archive, '--profile', 'esm-only', '--exclude-entrypoints', './ui.css']);
  }
  console.log('Packed: publint and attw find nothing.');
  await runInstalled(archives, place);
  reportAndExit('packages', []);
} catch (error) {
  reportAndExit('packages', [outputOf(error)]);
} finally {
  rmSync(place, { recursive: true });
}
