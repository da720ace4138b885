import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runCommand } from '../process/run-command.mjs';

/** @typedef {import('./set-up.mjs').SetUpContext} SetUpContext */

const HOME = 'tools/pnpm';

/**
 * The pinned pnpm, from its own small npm project: npm is on every machine that has Node.
 * @param {SetUpContext} context
 * @returns {Promise<string>} path of the pnpm binary
 */
export async function ensurePnpm({ root, env, signal, progress }) {
  const pinned = JSON.parse(readFileSync(join(root, HOME, 'package.json'), 'utf8')).dependencies.pnpm;
  const binary = join(root, HOME, 'node_modules/pnpm', process.platform === 'win32' ? 'pnpm.exe' : 'pnpm');
  if ((await installedVersion(binary, { root, env, signal })) === pinned) return binary;
  await progress.step(`get pnpm ${pinned}`, async (onText) => {
    const options = { cwd: root, env, signal, onText };
    await runCommand(
      [...npm(process.env), 'ci', '--prefix', HOME, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'],
      options,
    );
    // npm does not run install scripts here, and without this one pnpm stays a placeholder that turbo can't start.
    await runCommand([process.execPath, join(root, HOME, 'node_modules/pnpm/install.js')], options);
    const found = await installedVersion(binary, { root, env, signal });
    if (found !== pinned)
      throw new Error(`pnpm ${pinned} is needed, and ${found ?? 'nothing that runs'} was installed.`);
  });
  return binary;
}

/**
 * @param {string} binary
 * @param {{ root: string, env: NodeJS.ProcessEnv, signal?: AbortSignal | undefined }} options
 * @returns {Promise<string | undefined>}
 */
async function installedVersion(binary, { root, env, signal }) {
  if (!existsSync(binary)) return undefined;
  try {
    return (await runCommand([binary, '--version'], { cwd: root, env, signal })).trim();
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined;
  }
}

/**
 * The npm that runs this script, else the one in PATH.
 * @param {NodeJS.ProcessEnv} env
 */
function npm(env) {
  const running = env['npm_execpath'];
  if (running !== undefined && basename(running) === 'npm-cli.js') return [process.execPath, running];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}
