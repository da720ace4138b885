import { existsSync } from 'node:fs';
import { CommandError, runCommand } from '../process/run-command.mjs';

const ANSWER_WITHIN_MS = 20_000;

/**
 * Asks the oracle's own command for an invocation token of the running development oracle.
 * @param {{ script: string, root: string, env: NodeJS.ProcessEnv, stop: AbortSignal }} options - `env` as the oracle has it
 * @returns {Promise<{ token: string } | { problem: string }>}
 */
export async function devToken({ script, root, env, stop }) {
  if (!existsSync(script)) return { problem: `${script} is missing.` };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  try {
    const token = (await runCommand([process.execPath, script], { cwd: root, env, signal })).trim();
    return /^[\w+/=-]+$/.test(token) ? { token } : { problem: 'the oracle printed something that is no token.' };
  } catch (error) {
    if (error instanceof CommandError) return { problem: error.output.trim().split('\n').at(-1) || error.message };
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
