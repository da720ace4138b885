import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../process/run-command.mjs';

/** @typedef {import('./set-up.mjs').SetUpContext} SetUpContext */

/** The path of the checkout at the last install. */
const PLACE = 'node_modules/.bootstrap/place';
/** pnpm's record of the installed packages. */
const RECORD = 'node_modules/.pnpm/lock.yaml';
const QUIET = ['--reporter=append-only', '--config.confirm-modules-purge=false'];

/**
 * Installs the packages of the lockfile. pnpm needs a quarter of a second when they are up to date.
 * @param {SetUpContext} context
 * @param {string} pnpm - path of the pnpm binary
 */
export async function installPackages({ root, env, signal, progress }, pnpm) {
  const placeFile = join(root, PLACE);
  const place = realpathSync(root);
  // In a copied or moved checkout pnpm's files have the old path; without its record pnpm writes them again.
  const isMoved = !existsSync(placeFile) || readFileSync(placeFile, 'utf8') !== place;
  if (isMoved) rmSync(join(root, RECORD), { force: true });
  await progress.step('install packages', (onText) =>
    runCommand([pnpm, 'install', '--frozen-lockfile', '--trust-lockfile', '--prefer-offline', ...QUIET], {
      cwd: root,
      env,
      signal,
      onText,
    }),
  );
  mkdirSync(dirname(placeFile), { recursive: true });
  writeFileSync(placeFile, place);
}
