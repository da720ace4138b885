// Packages that others install are what they say when packed: every door opens, with its types, for Node's ES modules and for
// bundlers (publint, are the types wrong); the manifest means something outside of this workspace; all that is needed is there, and
// no more. Needs the build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packedProblems } from './packed-problems.mjs';
import { manifestIn, PUBLISHED, pack, publicFolders, unpack } from './packing.mjs';
import { outputOf } from './pnpm.mjs';
import { projectFiles } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/**
 * @param {string} program - in the path
 * @param {readonly string[]} args
 * @returns {string[]} what it printed, when it failed
 */
function run(program, args) {
  try {
    execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });
    return [];
  } catch (error) {
    return [outputOf(error)];
  }
}

/**
 * @param {string} folder
 * @returns {ReadonlyMap<string, string>} text of each file by its path, with forward slashes
 */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]));
}

/**
 * What a package reads at run time beside its modules: migrations, and the folders of plugins, which nothing imports.
 * @param {string} folder - relative to the repository
 * @returns {string[]} paths in its archive
 */
function readAtRunTime(folder) {
  const own = projectFiles().filter((file) => file.startsWith(`${folder}/`));
  return own
    .map((file) => file.slice(folder.length + 1))
    .filter((file) => /^drizzle\/.*(\.sql|_journal\.json)$|^src\/plugins\/[^/]+\/plugin\.ts$/.test(file))
    .map((file) => file.replace(/^src\/(.*)\.ts$/, 'dist/$1.js'));
}

/**
 * @param {string} folder - relative to the repository
 * @returns {Promise<string[]>}
 */
async function checkPackage(folder) {
  const place = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    const archive = await pack(folder, place);
    const unpacked = unpack(archive, place);
    return [
      ...packedProblems(manifestIn(unpacked), filesIn(unpacked), readAtRunTime(folder)),
      ...run('publint', ['--strict', archive]),
      // No CommonJS, and no resolution that knows no `exports`; styles have no types.
      ...run('attw', [archive, '--profile', 'esm-only', '--exclude-entrypoints', './ui.css']),
    ].map((problem) => `${folder}: ${problem}`);
  } finally {
    rmSync(place, { recursive: true });
  }
}

if (runsDirectly(import.meta.url)) {
  const unexpected = publicFolders().filter((folder) => !PUBLISHED.includes(folder));
  const problems = await Promise.all(PUBLISHED.map((folder) => checkPackage(folder)));
  reportAndExit('packages', [
    ...unexpected.map((folder) => `${folder} must be private, or stand among the published packages (packing.mjs)`),
    ...problems.flat(),
  ]);
}
