// npm run release:publish -- <folder>: publishes the packages of a release with npm, each after those it needs, to the registry
// that npm is set to, and pushes its images, if it has any, to the registry that they are named after. What is there already, byte for byte, is
// passed over, so that it can be run again.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { manifestIn, PUBLISHED } from '../checks/packing.mjs';
import { outputOf } from '../checks/pnpm.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { runsDirectly } from '../checks/report.mjs';
import { pushImage } from './push-image.mjs';

const run = promisify(execFile);

/**
 * @param {string} archive - of a package
 * @param {{ name: string, version: string, env: NodeJS.ProcessEnv }} release
 * @returns {Promise<'published' | 'there already'>}
 * @throws when the registry has this version with other bytes, or refuses
 */
export async function publishArchive(archive, { name, version, env }) {
  const options = { env, shell: process.platform === 'win32' };
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  // Said here, because a silent `npm run` makes every npm below it silent, and what an error is would be unknown.
  const aloud = '--loglevel=error';
  const there = await run('npm', ['view', `${name}@${version}`, 'dist.integrity', aloud], options).catch((error) => {
    if (/\bE404\b/.test(outputOf(error))) return { stdout: '' };
    throw error;
  });
  const known = there.stdout.trim();
  if (known === integrity) return 'there already';
  if (known !== '') throw new Error(`${name}@${version} is published with other bytes: ${known}, not ${integrity}.`);
  await run('npm', ['publish', archive, '--access', 'public', aloud], options);
  return 'published';
}

if (runsDirectly(import.meta.url)) {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', process.argv[2] ?? '.');
  for (const source of PUBLISHED) {
    const { name, version } = manifestIn(join(repositoryRoot, source));
    const archive = join(folder, 'packages', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    console.log(`${name}@${version}: ${await publishArchive(archive, { name, version, env: process.env })}`);
  }
  for (const file of readdirSync(join(folder, 'images')))
    console.log(pushImage(JSON.parse(readFileSync(join(folder, 'images', file), 'utf8')), process.env));
}
