import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a trailing separator. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

const NOT_OURS = new Set(['node_modules', 'dist', 'gen', 'generated', 'coverage', '.git', '.turbo', '.data']);

/**
 * The files of the project, with forward slashes: tracked and trackable files of git, or all files without git, always without
 * generated and installed files.
 * @param {string} [root]
 * @returns {string[]} paths relative to the root, sorted
 */
export function projectFiles(root = repositoryRoot) {
  const files = gitFiles(root) ?? walk(root, '');
  return files.filter((file) => !file.split('/').some((part) => NOT_OURS.has(part))).sort();
}

/**
 * @param {string} root
 * @returns {string[] | undefined} undefined if there is no git or the folder is not a repository
 */
function gitFiles(root) {
  if (!existsSync(join(root, '.git'))) return undefined;
  try {
    const options = /** @type {const} */ ({ cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
    return [...new Set(listed.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string} folder - relative
 * @returns {string[]}
 */
function walk(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : walk(root, path);
    return entry.isFile() && !/\.(tsbuildinfo|log)$|^\.env$/.test(entry.name) ? [path] : [];
  });
}
