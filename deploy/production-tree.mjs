// The production tree of one program: its built output, migrations, fixtures, and its production dependencies, at the paths they
// have in the repository; `service` leads to the program itself. The Dockerfile makes images of it in these three steps, one
// layer each. Without dependencies: it runs before anything is installed.
//
//   node deploy/production-tree.mjs manifests <to>            from a checkout: what an install reads
//   node deploy/production-tree.mjs modules <program> <to> [option of pnpm install...]
//                                                             from a folder of manifests, which it uses up
//   node deploy/production-tree.mjs built <program> <to>      from a built checkout
//
// A program is a package by its name without @mlango/. pnpm must be in the path.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const MANIFEST = /^(package\.json|package-lock\.json|pnpm-.*\.yaml|\.npmrc|.*\.patch)$/;
const NOT_A_SOURCE = new Set(['node_modules', 'dist', '.git', '.turbo', '.data']);
/** Files only for editors, debuggers and the tests of other projects: a third of the bytes. */
const NOT_FOR_RUNNING = /\.(d\.ts|d\.cts|d\.mts|map|test\.js|tsbuildinfo)$/;
/** Our own source maps are kept: stacks then name source lines. */
const NOT_FOR_SHIPPING = /\.d\.ts(\.map)?$|\.tsbuildinfo$/;

/**
 * @param {string} to
 * @param {string} [folder]
 */
function manifests(to, folder = '.') {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !NOT_A_SOURCE.has(entry.name)) manifests(to, path);
    // Copied one by one: an empty folder would change with the sources, and with it the layers cached by content.
    if (entry.isFile() && MANIFEST.test(entry.name)) cpSync(path, join(to, path));
  }
}

/**
 * @param {string} program
 * @param {string} to
 * @param {readonly string[]} options
 */
function modules(program, to, options) {
  const frozen = ['--prod', '--frozen-lockfile', '--trust-lockfile', '--prefer-offline', '--reporter=append-only'];
  pnpm(['--filter-prod', `@mlango/${program}...`, 'install', ...frozen, ...options], 'inherit');
  for (const folder of foldersOf(program)) {
    mkdirSync(join(to, folder), { recursive: true });
    cpSync(join(folder, 'package.json'), join(to, folder, 'package.json'));
    if (existsSync(join(folder, 'node_modules')))
      renameSync(join(folder, 'node_modules'), join(to, folder, 'node_modules'));
  }
  renameSync('node_modules', join(to, 'node_modules'));
  // Only used by the next install, of which there is none; they contain the time of this one.
  for (const state of ['.modules.yaml', '.pnpm-workspace-state-v1.json'])
    rmSync(join(to, 'node_modules', state), { force: true });
  for (const entry of readdirSync(join(to, 'node_modules'), { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && NOT_FOR_RUNNING.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
}

/**
 * @param {string} program
 * @param {string} to
 */
function built(program, to) {
  for (const folder of foldersOf(program)) {
    for (const part of ['dist', 'drizzle', 'fixtures', 'flows', 'aggregators']
      .map((name) => join(folder, name))
      .filter((name) => existsSync(name))) {
      cpSync(part, join(to, part), { recursive: true, filter: (from) => !NOT_FOR_SHIPPING.test(basename(from)) });
    }
  }
  const [own = ''] = list(['--filter', `@mlango/${program}`]);
  if (!existsSync(join(to, own, 'dist/main.js'))) throw new Error(`${program} has no dist/main.js: build it first.`);
  symlinkSync(own, join(to, 'service'), 'dir');
  cpSync('LICENSE', join(to, 'LICENSE'));
}

/**
 * The program and every package of the workspace it needs at run time.
 * @param {string} program
 */
function foldersOf(program) {
  return list(['--filter-prod', `@mlango/${program}...`]);
}

/**
 * @param {readonly string[]} filter
 * @returns {string[]} folders of packages, relative to the workspace
 */
function list(filter) {
  const folders = pnpm([...filter, 'list', '--depth', '-1', '--parseable'])
    .split('\n')
    .filter(Boolean);
  if (folders.length === 0) throw new Error(`No package is chosen by ${filter.join(' ')}.`);
  return folders.map((folder) => relative(process.cwd(), folder));
}

/**
 * @param {readonly string[]} args
 * @param {import('node:child_process').StdioNull | 'inherit' | 'pipe'} [output]
 */
function pnpm(args, output = 'pipe') {
  const shell = process.platform === 'win32';
  return execFileSync('pnpm', args, { encoding: 'utf8', stdio: ['ignore', output, 'inherit'], shell }) ?? '';
}

const [step, ...rest] = process.argv.slice(2);
const [program = '', to = '', ...options] = rest;
switch (step) {
  case 'manifests':
    manifests(program);
    break;
  case 'modules':
    modules(program, to, options);
    break;
  case 'built':
    built(program, to);
    break;
  default:
    throw new Error('The step is one of manifests, modules and built.');
}
