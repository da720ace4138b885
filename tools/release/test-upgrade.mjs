// npm run test:upgrade: rolls running services of the release before forward to this tree and back (docs/operations/upgrades.md).
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testOnTerminal } from '../bootstrap/commands/test.mjs';
import { pnpm } from '../checks/pnpm.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { runsDirectly } from '../checks/report.mjs';

/** Each release with its tag or commit, oldest first. */
export const releasesFile = 'tools/release/releases.json';
const SERVICES = ['ussd-gateway', 'oracle-api', 'proto-gateway'];

/** @param {string} [root] */
export function releasesSoFar(root = repositoryRoot) {
  const text = readFileSync(join(root, releasesFile), 'utf8');
  return /** @type {{ version: string, revision: string }[]} */ (JSON.parse(text));
}

/**
 * The newest release in the history of this clone, other than the current commit.
 * @param {string} [root]
 * @returns {{ version: string, commit: string } | { missing: string }} missing: why there is none
 */
export function releaseBefore(root = repositoryRoot) {
  const commitOf = (/** @type {string} */ revision) => {
    const args = ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`];
    return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() || undefined;
  };
  const current = commitOf('HEAD');
  if (current === undefined) return { missing: 'An earlier release is built from git, and this is no clone.' };
  for (const { version, revision } of releasesSoFar(root).toReversed()) {
    const commit = commitOf(revision);
    if (commit !== undefined && commit !== current) return { version, commit };
  }
  return { missing: 'This clone has the commit of no earlier release. Run git fetch --unshallow --tags' };
}

/**
 * Builds the services of a commit with its own lockfile, unless the build exists.
 * @param {string} commit
 * @returns {Promise<string>} a folder with the layout of the repository
 */
async function buildOf(commit) {
  const folder = join(repositoryRoot, 'artifacts/releases', commit);
  if (existsSync(folder)) return folder;
  // An unfinished build has another name, so that no run takes it for a build.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const sources = execFileSync('git', ['archive', commit], { cwd: repositoryRoot, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', unfinished], { input: sources });
    const services = SERVICES.flatMap((name) => ['--filter-prod', `@mlango/${name}...`]);
    // The root has the build tools.
    const frozen = ['--frozen-lockfile', '--trust-lockfile', '--prefer-offline'];
    await pnpm(['--filter', '.', ...services, 'install', ...frozen], { cwd: unfinished });
    await pnpm([...services, '--recursive', 'run', 'build'], { cwd: unfinished });
    renameSync(unfinished, folder);
    return folder;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

if (runsDirectly(import.meta.url)) {
  const before = releaseBefore();
  if ('missing' in before) {
    console.log(`Left out: ${before.missing}`);
    process.exit(77);
  }
  console.log(`From ${before.version} (${before.commit}) to this tree and back`);
  process.env['RELEASE_BEFORE'] = await buildOf(before.commit);
  process.exitCode = await testOnTerminal(repositoryRoot, ['--integration', 'deploy/proxy/roll-out-of-']);
}
