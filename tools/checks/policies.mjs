// The lockfile keeps the policies of pnpm-workspace.yaml. The set-up trusts the lockfile for speed, so that this is the one
// place where they hold for what was committed: no release younger than the minimum age, none that is less trustworthy than the
// one before it, and nothing from anywhere but the registry. Needs the registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, pnpm } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/**
 * @param {string} folder - of a pnpm workspace; nothing is written to it
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string[]>} what breaks a policy
 */
export async function brokenPolicies(folder, env = process.env) {
  const strangers = notFromRegistry(readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8'));
  try {
    await pnpm(['install', '--frozen-lockfile', '--lockfile-only', '--ignore-scripts'], { cwd: folder, env });
    return strangers;
  } catch (error) {
    return [...strangers, outputOf(error)];
  }
}

/**
 * pnpm judges where a package comes from as it resolves it, not when it reads a lockfile.
 * @param {string} lockfile
 * @returns {string[]} one line for each package that is locked by anything but an integrity of the registry
 */
function notFromRegistry(lockfile) {
  const resolutions = [...lockfile.matchAll(/^ {2}(\S.*):\r?\n {4}resolution: (.*)$/gm)];
  return resolutions
    .filter(([, , resolution = '']) => !/^\{integrity: [^\s,}]+\}\r?$/.test(resolution))
    .map(([, name, resolution]) => `${name} is not from the registry: ${resolution}`);
}

if (runsDirectly(import.meta.url)) reportAndExit('policies', await brokenPolicies(repositoryRoot));
