import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT_FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'tools/pnpm/package.json'];

/**
 * A digest of everything an install depends on: lockfile, manifests, settings, and the platform its binaries are for.
 * @param {string} root
 * @returns {string}
 */
export function installStamp(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}\n`);
  for (const file of [...ROOT_FILES, ...patches(root), ...workspaceManifests(root)]) {
    if (!existsSync(join(root, file))) continue;
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  }
  return hash.digest('hex');
}

/** @param {string} root */
function patches(root) {
  if (!existsSync(join(root, 'patches'))) return [];
  return readdirSync(join(root, 'patches'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Whether each package's own node_modules is still there: a stamp outlives a folder somebody has deleted.
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  return ['package.json', ...workspaceManifests(root)].every((file) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8'));
    const modules = join(root, dirname(file), 'node_modules');
    return Object.keys({ ...dependencies, ...devDependencies }).every((name) => existsSync(join(modules, name)));
  });
}

/**
 * The manifests of the workspace, read from pnpm-workspace.yaml (`folder` and `folder/*` entries).
 * @param {string} root
 * @returns {string[]}
 */
export function workspaceManifests(root) {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const list = /^packages:\n((?:[ \t]+-.*\n|[ \t]*(?:#.*)?\n)+)/m.exec(workspace)?.[1] ?? '';
  const globs = [...list.matchAll(/^[ \t]+-[ \t]*['"]?([^'"#\s]+)/gm)].map((match) => match[1] ?? '');
  return globs
    .flatMap((glob) => {
      if (!glob.endsWith('/*')) return [glob];
      const parent = glob.slice(0, -2);
      if (!existsSync(join(root, parent))) return [];
      return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
    })
    .map((folder) => `${folder}/package.json`)
    .filter((file) => existsSync(join(root, file)))
    .sort();
}
