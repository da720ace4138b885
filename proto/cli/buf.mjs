// Runs buf with its cache inside the project: without this it writes to the home directory, which a build user may not have.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const buf = require.resolve('@bufbuild/buf/bin/buf');
const cache = fileURLToPath(new URL('../node_modules/.cache/buf', import.meta.url));
const { status, error } = spawnSync(process.execPath, [buf, ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, BUF_CACHE_DIR: process.env.BUF_CACHE_DIR || cache },
  stdio: 'inherit',
});
if (error) throw error;
process.exitCode = status ?? 1;
