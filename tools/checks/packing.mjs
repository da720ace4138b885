import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';

/** Folders of the published packages, each after those it needs. Every other package is `private`. */
export const PUBLISHED = [
  'packages/async',
  'packages/crypto',
  'packages/schemas',
  'packages/grpc-channel',
  'packages/transcoder',
  'packages/cosmos-rest',
  'packages/outbound',
  'packages/ucan-auth',
  'packages/service-kit',
  'packages/oracle-client',
  'services/oracle-api',
];

/**
 * @param {string} folder - holds a package.json
 * @returns {{ name: string, version: string, private?: boolean, exports?: Record<string, unknown>, dependencies?: Record<string, string> }}
 */
export function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Packs a package as it would be published.
 * @param {string} folder - of the package, relative to the repository
 * @param {string} destination - an existing folder
 * @returns {Promise<string>} path of the archive
 */
export async function pack(folder, destination) {
  const cwd = join(repositoryRoot, folder);
  const { name, version } = manifestIn(cwd);
  await pnpm(['pack', '--pack-destination', destination], { cwd });
  const archive = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!existsSync(archive)) throw new Error(`${folder} was not packed as ${archive}`);
  return archive;
}
