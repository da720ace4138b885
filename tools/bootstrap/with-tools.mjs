// node tools/bootstrap/with-tools.mjs <program> [arguments]: runs a program of node_modules/.bin (or pnpm) as the set-up
// does, with the pinned pnpm in PATH and without telemetry.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { toolEnv } from './process/tool-env.mjs';
import { repositoryRoot } from './repository.mjs';

const [program = '', ...args] = process.argv.slice(2);
const env = toolEnv(process.env, repositoryRoot);
const path = [join(repositoryRoot, 'node_modules/.bin'), env['PATH']].join(delimiter);
const child = spawn(program, args, {
  env: { ...env, PATH: path },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
child.on('error', (error) => {
  console.error(`${program} could not be started: ${error.message}. Has \`npm run setup\` been run?`);
  process.exitCode = 1;
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
