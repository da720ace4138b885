#!/usr/bin/env node
// Runs the pnpm of tools/pnpm with the same arguments. turbo starts every task with the `pnpm` in PATH, and `npx turbo` has
// node_modules/.bin in PATH.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const name = process.platform === 'win32' ? 'pnpm.exe' : 'pnpm';
const program = fileURLToPath(new URL(`../../pnpm/node_modules/pnpm/${name}`, import.meta.url));
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`${error.message}. Run \`npm run setup\` first.`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
