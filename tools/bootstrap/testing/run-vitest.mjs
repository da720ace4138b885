import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutNpmVariables } from '../process/tool-env.mjs';

const REPORTER = fileURLToPath(new URL('./count-reporter.mjs', import.meta.url));

/**
 * @typedef {import('./outcomes.mjs').Outcomes & {
 *   failures: import('./failures.mjs').Failure[],
 *   missingServices: string[],
 *   slowest: import('./slowest-files.mjs').TimedFile[],
 * }} RunOutcomes
 */

/**
 * Runs vitest once on this terminal.
 * @param {{ root: string, args: readonly string[], env: NodeJS.ProcessEnv, onStart?: (stop: (signal: NodeJS.Signals) => void) => void, quiet?: boolean }} options
 * @returns {Promise<{ outcomes: RunOutcomes | undefined, exitCode: number }>} no outcomes when it did not come to an end
 */
export async function runVitest({ root, args, env, onStart, quiet = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'mlango-test-'));
  const outcomesFile = join(folder, 'outcomes.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default'];
  const { NODE_ENV: _dropped, ...rest } = withoutNpmVariables(env);
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, `--reporter=${REPORTER}`, ...args], {
    cwd: root,
    env: { ...rest, TEST_OUTCOMES_FILE: outcomesFile },
    stdio: quiet ? 'ignore' : 'inherit',
  });
  onStart?.((signal) => void child.kill(signal));
  const exitCode = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
  const outcomes = readOutcomes(outcomesFile);
  rmSync(folder, { recursive: true, force: true });
  return { outcomes, exitCode };
}

/**
 * @param {string} file
 * @returns {RunOutcomes | undefined}
 */
function readOutcomes(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
