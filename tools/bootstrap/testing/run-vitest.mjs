import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutNpmVariables } from '../process/tool-env.mjs';

const REPORTER = fileURLToPath(new URL('./outcomes-reporter.mjs', import.meta.url));

/**
 * Runs vitest once on this terminal.
 * @param {{ root: string, args: readonly string[], env: NodeJS.ProcessEnv, onStart?: (stop: (signal: NodeJS.Signals) => void) => void, quiet?: boolean }} options
 * @returns {Promise<{ outcomes: import('./outcomes-reporter.mjs').Outcomes | undefined, exitCode: number }>} no outcomes when it was interrupted
 */
export async function runVitest({ root, args, env, onStart, quiet = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'mlango-test-'));
  const file = join(folder, 'outcomes.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = args.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default'];
  const { NODE_ENV: _dropped, ...rest } = withoutNpmVariables(env);
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, `--reporter=${REPORTER}`, ...args], {
    cwd: root,
    env: { ...rest, TEST_OUTCOMES_FILE: file },
    stdio: quiet ? 'ignore' : 'inherit',
  });
  onStart?.((signal) => void child.kill(signal));
  const exitCode = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
  const outcomes = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  rmSync(folder, { recursive: true, force: true });
  return { outcomes, exitCode };
}
