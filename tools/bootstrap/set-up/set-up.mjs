import { join } from 'node:path';
import { toolEnv } from '../process/tool-env.mjs';
import { buildPackages } from './build.mjs';
import { installPackages } from './install.mjs';
import { SET_UP_LOCK, withLock } from './lock.mjs';
import { ensurePnpm } from './pnpm.mjs';
import { Progress } from './progress.mjs';

/**
 * @typedef {object} SetUpContext
 * @property {string} root - the repository
 * @property {NodeJS.ProcessEnv} env - for the tools
 * @property {AbortSignal | undefined} signal - stops the running step
 * @property {Progress} progress
 */

/**
 * Makes a fresh clone ready to run: the pinned pnpm, the packages, the build. Repeats no completed step, and runs once at a time
 * in one repository.
 * @param {{ root: string, env: NodeJS.ProcessEnv, signal?: AbortSignal | undefined, write: (text: string) => void }} options
 */
export async function setUp({ root, env, signal, write }) {
  const verbose = !['', '0', 'false'].includes(env['VERBOSE'] ?? '');
  const progress = new Progress({ write, verbose });
  const context = { root, env: toolEnv(env, root), signal, progress };
  const onWait = () => progress.say('… another set-up or build is running in this repository; waiting for it to end');
  await withLock(join(root, SET_UP_LOCK), { onWait, signal }, async () => {
    const pnpm = await ensurePnpm(context);
    await installPackages(context, pnpm);
    await buildPackages(context);
  });
}
