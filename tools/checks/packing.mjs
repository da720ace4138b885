import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pnpm } from './pnpm.mjs';
import { projectFiles, repositoryRoot } from './project-files.mjs';

/** Folders of what others install, each after those it needs. Everything else is `private`. */
export const PUBLISHED = [
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
 * @typedef {{ name: string, version: string, private?: boolean, exports?: Record<string, unknown>,
 *   dependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   engines?: Record<string, string> }} Manifest
 */

/**
 * @param {string} folder - holds a package.json
 * @returns {Manifest}
 */
export function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * @returns {string[]} folders of the workspace's packages that are not `private`, sorted
 */
export function publicFolders() {
  const manifests = projectFiles().filter(
    (file) => file.endsWith('/package.json') && file !== 'tools/pnpm/package.json',
  );
  return manifests.map((file) => dirname(file)).filter((folder) => !manifestIn(join(repositoryRoot, folder)).private);
}

/**
 * Packs a package as it would be published.
 * @param {string} folder - of the package, relative to the repository
 * @param {string} destination - a folder
 * @returns {Promise<string>} path of the archive
 */
export async function pack(folder, destination) {
  const cwd = join(repositoryRoot, folder);
  const { name, version } = manifestIn(cwd);
  await pnpm(['pack', '--pack-destination', destination], { cwd });
  const archive = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!existsSync(archive)) throw new Error(`${folder} gave ${readdirSync(destination).join(', ') || 'nothing'}`);
  return archive;
}

/**
 * @param {string} archive
 * @param {string} destination - an existing folder
 * @returns {string} the folder that holds the package
 */
export function unpack(archive, destination) {
  execFileSync('tar', ['-xzf', archive, '-C', destination]);
  return join(destination, 'package');
}
