import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnv } from '../../bootstrap/process/tool-env.mjs';
import { repositoryRoot } from '../project-files.mjs';

const SCRIPT = join(repositoryRoot, 'deploy/production-tree.mjs');

/**
 * Makes the production tree of a program as its image gets it, by the same script. Needs the build.
 * @param {string} program - such as `oracle-api`
 * @param {string} place - a folder outside the repository
 * @returns {string} the tree
 */
export function makeTree(program, place) {
  const manifests = join(place, `${program}-manifests`);
  const tree = join(place, program);
  const env = { ...toolEnv(process.env, repositoryRoot), CI: 'true' };
  /** @param {string} cwd @param {readonly string[]} args */
  const run = (cwd, ...args) =>
    execFileSync(process.execPath, [SCRIPT, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  // The store of this repository: pnpm would make another one where the place is on another disk.
  const store = execFileSync('pnpm', ['store', 'path'], {
    cwd: repositoryRoot,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }).trim();
  run(repositoryRoot, 'manifests', manifests);
  run(manifests, 'modules', program, tree, '--store-dir', store);
  run(repositoryRoot, 'built', program, tree);
  rmSync(manifests, { recursive: true });
  return tree;
}
