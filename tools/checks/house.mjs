// House rules that no linter knows: nothing of one machine is committed, names say what a file is about, the domain has
// no clock and no dice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { houseRules } from './house-rules.mjs';
import { projectFiles, repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const LARGEST_BYTES = 2 * 1024 * 1024;

/**
 * @param {string} root
 * @returns {string[]} one line per finding: place, rule, and what was found
 */
export function checkHouse(root) {
  return projectFiles(root).flatMap((file) => {
    const bytes = readFileSync(join(root, file));
    const lines = bytes.length > LARGEST_BYTES || bytes.includes(0) ? [] : bytes.toString('utf8').split('\n');
    return houseRules.flatMap(({ name, applies, path, line }) => {
      if (!applies(file)) return [];
      const inPath = path?.exec(file)?.[0];
      const inLines =
        line === undefined ? [] : lines.flatMap((text, index) => found(line, text, `${file}:${index + 1}`));
      const findings = inPath === undefined ? inLines : [`${file} (${inPath})`, ...inLines];
      return findings.map((finding) => `${finding}: ${name}`);
    });
  });
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @param {string} place
 */
function found(pattern, text, place) {
  const match = pattern.exec(text);
  return match === null ? [] : [`${place} (${match[0].trim()})`];
}

if (runsDirectly(import.meta.url)) reportAndExit('house rules', checkHouse(repositoryRoot));
