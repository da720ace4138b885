import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../process/run-command.mjs';
import { installStamp, isInstalled } from './install-stamp.mjs';

/** @typedef {import('./set-up.mjs').SetUpContext} SetUpContext */

const STAMP = 'node_modules/.bootstrap/installed';
/** What pnpm thinks is installed. */
const RECORD = 'node_modules/.pnpm/lock.yaml';

/**
 * Installs what the lockfile says, unless nothing has changed since the last time.
 * @param {SetUpContext} context
 * @param {string} pnpm - path of the pnpm binary
 */
export async function installPackages({ root, env, signal, progress }, pnpm) {
  const stampFile = join(root, STAMP);
  const place = realpathSync(root);
  const stamp = `${installStamp(root)}\n${place}`;
  const last = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (last === stamp && isInstalled(root)) {
    progress.say('✓ packages are up to date');
    return;
  }
  // A checkout that was copied or moved: pnpm wrote the old place into what it installed, and without its record writes it anew.
  if (last.split('\n')[1] !== place) rmSync(join(root, RECORD), { force: true });
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
