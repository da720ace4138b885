import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Prints the findings of a check and sets the exit code.
 * @param {string} check
 * @param {readonly string[]} findings - empty if the check passes
 */
export function reportAndExit(check, findings) {
  for (const finding of findings) console.error(finding);
  console.log(findings.length === 0 ? `${check}: all well` : `${check}: ${findings.length} found`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}

/**
 * Whether a module was started as a program, not imported.
 * @param {string} url - its `import.meta.url`
 */
export function runsDirectly(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}
