// Packages that others could install are what they say when packed: every door opens, with its types, for Node's ES modules
// and for bundlers (publint, are the types wrong). Needs the build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const PACKAGES = ['packages/crypto', 'packages/outbound', 'packages/ucan-auth', 'packages/oracle-client'];

/**
 * @param {string} program - in the path
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {string[]} what it printed, when it failed
 */
function run(program, args, cwd) {
  try {
    execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    return [`${program} ${args.join(' ')} in ${cwd}\n${stdout}${stderr}`];
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function checkPackage(folder) {
  const packed = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    const problems = [
      ...run('publint', ['--strict'], folder),
      ...run('pnpm', ['pack', '--pack-destination', packed], folder),
    ];
    const archives = readdirSync(packed);
    if (archives.length !== 1) return [...problems, `${folder} gave ${archives.length} archives`];
    // No CommonJS, and no resolution that knows no `exports`.
    const types = archives.flatMap((archive) => run('attw', [join(packed, archive), '--profile', 'esm-only'], folder));
    return [...problems, ...types];
  } finally {
    rmSync(packed, { recursive: true });
  }
}

if (runsDirectly(import.meta.url)) {
  reportAndExit(
    'packages',
    PACKAGES.flatMap((folder) => checkPackage(join(repositoryRoot, folder))),
  );
}
