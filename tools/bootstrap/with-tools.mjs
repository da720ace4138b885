// node tools/bootstrap/with-tools.mjs <program> [arguments]: runs a program of node_modules/.bin (or pnpm) as the set-up
// does, with the pinned pnpm in PATH and without telemetry; turbo also when no other build is running.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { toolEnv } from './process/tool-env.mjs';
import { repositoryRoot } from './repository.mjs';
import { SET_UP_LOCK, withLock } from './set-up/lock.mjs';

const [program = '', ...args] = process.argv.slice(2);

/** @returns {Promise<number>} its exit code */
function run() {
  const env = toolEnv(process.env, repositoryRoot);
  const path = [join(repositoryRoot, 'node_modules/.bin'), env['PATH']].join(delimiter);
  const child = spawn(program, args, {
    env: { ...env, PATH: path },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${program} could not be started: ${error.message}. Has \`npm run setup\` been run?`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

// Two builds of one repository would write the same files: as the set-up's own, this one waits for its turn.
const onWait = () => console.log('… another build is running in this repository; waiting for it to end');
process.exitCode =
  program === 'turbo' ? await withLock(join(repositoryRoot, SET_UP_LOCK), { onWait }, run) : await run();
