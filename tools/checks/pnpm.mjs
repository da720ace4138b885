import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolEnv } from '../bootstrap/process/tool-env.mjs';
import { repositoryRoot } from './project-files.mjs';

const BINARY = join(repositoryRoot, 'tools/pnpm/node_modules/pnpm', process.platform === 'win32' ? 'pnpm.exe' : 'pnpm');
const run = promisify(execFile);

/**
 * The standard output of the pinned pnpm. Rejects when it fails; `outputOf` returns its output then.
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options] - the repository and the environment of this process by default
 * @returns {Promise<string>}
 */
export async function pnpm(args, { cwd = repositoryRoot, env = process.env } = {}) {
  const settings = { cwd, env: toolEnv(env, repositoryRoot), maxBuffer: 64 * 1024 * 1024 };
  return (await run(BINARY, args, settings)).stdout;
}

/**
 * Everything that a program printed before it failed.
 * @param {unknown} error - as `execFile` gives it
 * @returns {string}
 */
export function outputOf(error) {
  const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
  return `${stdout}${stderr}` || String(error);
}
