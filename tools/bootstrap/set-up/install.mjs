import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../process/run-command.mjs';
import { installStamp, isInstalled } from './install-stamp.mjs';

/** @typedef {import('./set-up.mjs').SetUpContext} SetUpContext */

const STAMP = 'node_modules/.bootstrap/installed';

/**
 * Installs what the lockfile says, unless nothing has changed since the last time.
 * @param {SetUpContext} context
 * @param {string} pnpm - path of the pnpm binary
 */
export async function installPackages({ root, env, signal, progress }, pnpm) {
  const stampFile = join(root, STAMP);
  const stamp = installStamp(root);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && isInstalled(root)) {
    progress.say('✓ packages are up to date');
    return;
  }
  rmSync(stampFile, { force: true });
  await progress.step('install packages', (onText) =>
    runCommand(
      [
        pnpm,
        'install',
        '--frozen-lockfile',
        '--trust-lockfile',
        '--prefer-offline',
        '--reporter=append-only',
        '--config.confirm-modules-purge=false',
      ],
      { cwd: root, env, signal, onText },
    ),
  );
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}
