// npm run release -- <command>: docs/operations/releasing.md.
import { resolve } from 'node:path';
import { buildRelease, publishRelease } from './build-and-publish.mjs';
import { tryRelease } from './trial.mjs';
import { prepareVersion } from './version.mjs';

const [command = '', ...args] = process.argv.slice(2);
const images = args.includes('--images');
const name = args.find((arg) => arg !== '--images');
const folder = name && resolve(process.env['INIT_CWD'] ?? '.', name);

/** @returns {Promise<void>} */
async function run() {
  if (command === 'version') return prepareVersion();
  if (command === 'trial' && !name) return tryRelease(args);
  if (command === 'build' && folder) return buildRelease(folder);
  if (command === 'publish' && folder) return publishRelease(folder, { images });
  throw new Error('npm run release -- version | trial [--images] | build <folder> | publish <folder> [--images]');
}

await run().catch((error) => {
  console.error(typeof error.output === 'string' ? `${error.output}${error.message}` : error.message);
  process.exitCode = 1;
});
