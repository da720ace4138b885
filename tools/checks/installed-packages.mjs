// The packages as somebody installs them: packed, put with npm into empty folders outside of this workspace, and run from there by
// plain Node, the oldest and the newest major that they are for. Needs the build and a package registry.
//
// Several folders, because npm puts everything side by side, where one package's dependencies hide what another one forgot: the channel
// with its peer, the tokens alone, what makes HTTP of a chain alone, then all packages with the example oracle. `packages.mjs` looks for what is forgotten in every file.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolEnv } from '../bootstrap/process/tool-env.mjs';
import { manifestIn, PUBLISHED, pack } from './packing.mjs';
import { outputOf } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const NODES = { 20: '20.20.2', 24: '24.21.0' };
const EXAMPLE = join(repositoryRoot, 'examples/weather-oracle');
const CHANNEL = '@mlango/grpc-channel';
/** What its stock door needs, in the version it has here. */
const PEER = manifestIn(join(repositoryRoot, 'packages/grpc-channel/node_modules/@grpc/grpc-js')).version;
const CHECKS = join(repositoryRoot, 'tools/checks/installed');
const TSC = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
const execute = promisify(execFile);

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function run(program, args, cwd) {
  const shell = process.platform === 'win32' && program === 'npm';
  await execute(program, args, { cwd, env: toolEnv(process.env, repositoryRoot), shell });
}

/**
 * @param {string} folder - to be made
 * @param {Readonly<Record<string, string>>} dependencies
 */
async function install(folder, dependencies) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  await run(
    'npm',
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    folder,
  );
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  for (const [path, { resolved }] of Object.entries(packages)) {
    if (!/node_modules\/@mlango\/[^/]+$/.test(path) || resolved?.startsWith('file:')) continue;
    throw new Error(`${path} came from ${resolved}, not from its archive`);
  }
}

/**
 * @param {string} place
 * @param {[string, string]} node - major and whole version
 * @returns {Promise<string>} path of a Node of that major: this one, or one from the registry
 */
async function nodeOf(place, [major, version]) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const folder = join(place, `node-${major}`);
  await install(folder, { node: version });
  // The package is but a script that fetches the binary for this platform.
  const home = join(folder, 'node_modules/node');
  await run(process.execPath, ['installArchSpecificPackage.js'], home);
  return join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * The example, compiled against what is installed.
 * @param {string} folder
 */
async function compileExample(folder) {
  cpSync(join(EXAMPLE, 'src'), join(folder, 'src'), {
    recursive: true,
    filter: (path) => !/\.test\.ts$/.test(path),
  });
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await run(process.execPath, [TSC, '-p', folder], folder);
}

/**
 * What the example needs beside our packages, in the versions it has here.
 * @param {Readonly<Record<string, string>>} ours
 */
function neighbours(ours) {
  const names = Object.keys(manifestIn(EXAMPLE).dependencies ?? {}).filter((name) => !(name in ours));
  return Object.fromEntries(names.map((name) => [name, manifestIn(join(EXAMPLE, 'node_modules', name)).version]));
}

/** @param {string} place - an empty folder */
async function checkInstalled(place) {
  /** @type {Record<string, string>} */
  const archives = {};
  for (const folder of PUBLISHED) {
    archives[manifestIn(join(repositoryRoot, folder)).name] = `file:${await pack(folder, place)}`;
  }
  const ofTokens = ['crypto', 'outbound', 'ucan-auth'].map((name) => `@mlango/${name}`);
  const channel = join(place, 'channel');
  const ofChains = ['transcoder', 'cosmos-rest'].map((name) => `@mlango/${name}`);
  const tokens = join(place, 'tokens');
  const chains = join(place, 'chains');
  const oracle = join(place, 'oracle');
  const [nodes] = await Promise.all([
    Promise.all(Object.entries(NODES).map((node) => nodeOf(place, node))),
    install(channel, { [CHANNEL]: archives[CHANNEL] ?? '', '@grpc/grpc-js': PEER }),
    install(tokens, Object.fromEntries(ofTokens.map((name) => [name, archives[name] ?? '']))),
    install(chains, Object.fromEntries(ofChains.map((name) => [name, archives[name] ?? '']))),
    install(oracle, { ...archives, ...neighbours(archives) }).then(() => compileExample(oracle)),
  ]);

  for (const folder of [channel, tokens, chains, oracle]) cpSync(CHECKS, folder, { recursive: true });
  // The client's door to calls needs a peer that is optional, and a browser; the stock channel's the library it is made of.
  const doors = Object.keys(archives).filter((name) => name !== '@mlango/oracle-client' && name !== CHANNEL);
  for (const [index, node] of nodes.entries()) {
    await run(node, ['doors.mjs', CHANNEL], channel);
    await run(node, ['channel.mjs'], channel);
    await run(node, ['doors.mjs', ...ofTokens], tokens);
    await run(node, ['token.mjs'], tokens);
    await run(node, ['doors.mjs', ...ofChains], chains);
    await run(node, ['first-examples.mjs', ...ofChains], chains);
    await run(node, ['doors.mjs', ...doors], oracle);
    await run(node, ['oracle.mjs', 'dist/main.js', join(place, `data-${index}`)], oracle);
  }
}

if (runsDirectly(import.meta.url)) {
  const place = mkdtempSync(join(tmpdir(), 'installed-'));
  try {
    await checkInstalled(place);
    reportAndExit('installed packages', []);
  } catch (error) {
    reportAndExit('installed packages', [outputOf(error)]);
  } finally {
    rmSync(place, { recursive: true });
  }
}
