import { StoppedError } from '../process/run-command.mjs';
import { listenForStop } from '../process/stop-requests.mjs';
import { repositoryRoot } from '../repository.mjs';
import { setUp } from '../set-up/set-up.mjs';

const EXIT_CODE_INTERRUPTED = 130;

/**
 * Runs the set-up on the terminal and stops it on request.
 * @returns {Promise<'done' | 'failed' | 'stopped'>}
 */
export async function setUpOnTerminal() {
  const stop = new AbortController();
  const unlisten = listenForStop({
    onStop: () => stop.abort(),
    onInsist: () => process.exit(EXIT_CODE_INTERRUPTED),
  });
  try {
    await setUp({
      root: repositoryRoot,
      env: process.env,
      signal: stop.signal,
      write: (text) => void process.stdout.write(text),
    });
    return 'done';
  } catch (error) {
    if (error instanceof StoppedError) {
      console.error('Set-up stopped.');
      return 'stopped';
    }
    console.error(`Set-up failed: ${error instanceof Error ? error.message : String(error)}.`);
    return 'failed';
  } finally {
    unlisten();
  }
}

export async function main() {
  const outcome = await setUpOnTerminal();
  process.exitCode = outcome === 'done' ? 0 : outcome === 'failed' ? 1 : EXIT_CODE_INTERRUPTED;
}
