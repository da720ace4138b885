import { join } from 'node:path';
import { runCommand } from '../process/run-command.mjs';

/** @typedef {import('./set-up.mjs').SetUpContext} SetUpContext */

/**
 * Builds every package in order of dependency; turbo skips what has not changed.
 * @param {SetUpContext} context
 */
export async function buildPackages({ root, env, signal, progress }) {
  const turbo = join(root, 'node_modules/turbo/bin/turbo');
  await progress.step('build', (onText) =>
    runCommand([process.execPath, turbo, 'run', 'build', '--output-logs=new-only', '--log-order=grouped'], {
      cwd: root,
      env,
      signal,
      onText,
    }),
  );
}
