// One idea per file: 300 lines is the wall.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles, repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const LIMIT_LINES = 300;

/**
 * @param {string} root
 * @returns {string[]} one line per file that is too long
 */
export function findLongFiles(root) {
  return projectFiles(root)
    .filter((file) => /\.(ts|tsx|mts|mjs|cjs|js)$/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').replace(/\n$/, '').split('\n').length;
      return lines > LIMIT_LINES ? [`${file}: ${lines} lines, at most ${LIMIT_LINES}`] : [];
    });
}

if (runsDirectly(import.meta.url)) reportAndExit('file length', findLongFiles(repositoryRoot));
