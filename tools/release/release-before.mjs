import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm } from '../checks/pnpm.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';

/** Where each release is told with the tag, or commit, that it was made from; the newest is the last. */
export const releasesFile = 'tools/release/releases.json';

/** @typedef {{ version: string, revision: string }} Release */

/** Those that keep what a release after them has to get along with, or serve who reads it. */
const SERVICES = ['ussd-gateway', 'oracle-api', 'proto-gateway'];

/** @param {string} [root] */
export function releasesSoFar(root = repositoryRoot) {
  return /** @type {Release[]} */ (JSON.parse(readFileSync(join(root, releasesFile), 'utf8')));
}

/**
 * The newest release that this clone has the commit of, but for the one that is checked out.
 * @param {string} [root]
 * @returns {{ version: string, commit: string } | { missing: string }} why there is none
 */
export function releaseBefore(root = repositoryRoot) {
  const here = commitOf('HEAD', root);
  if (here === undefined) return { missing: 'git finds no clone here, and an earlier release is built from one.' };
  const known = releasesSoFar(root);
  for (const { version, revision } of known.toReversed()) {
    const commit = commitOf(revision, root);
    if (commit !== undefined && commit !== here) return { version, commit };
  }
  const names = known.map(({ version, revision }) => `${version} (${revision})`).join(', ');
  return {
    missing: `This clone has the commit of no release before: ${names}. See to it: git fetch --unshallow --tags`,
  };
}

/**
 * @param {string} revision
 * @param {string} root
 */
function commitOf(revision, root) {
  try {
    const args = ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Builds the services of a commit with the packages that its own lockfile names, unless that was done before.
 * @param {string} commit
 * @returns {Promise<string>} a folder that is laid out as the repository
 */
export async function buildOf(commit) {
  const place = join(repositoryRoot, 'artifacts/releases', commit);
  if (existsSync(place)) return place;
  // Beside it until all is there, so that what was begun and not ended is taken by nobody.
  const begun = `${place}.${process.pid}`;
  mkdirSync(begun, { recursive: true });
  try {
    const archive = join(begun, 'sources.tar');
    execFileSync('git', ['archive', '--output', archive, commit], { cwd: repositoryRoot });
    execFileSync('tar', ['-xf', archive, '-C', begun]);
    rmSync(archive);
    const services = SERVICES.flatMap((name) => ['--filter-prod', `@mlango/${name}...`]);
    const frozen = ['--frozen-lockfile', '--trust-lockfile', '--prefer-offline'];
    // What builds them belongs to the root.
    await pnpm(['--filter', '.', ...services, 'install', ...frozen], { cwd: begun });
    await pnpm([...services, '--recursive', 'run', 'build'], { cwd: begun });
    renameSync(begun, place);
    return place;
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
}
