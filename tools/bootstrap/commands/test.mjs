import { listenForStop } from '../process/stop-requests.mjs';
import { repositoryRoot } from '../repository.mjs';
import { verdict } from '../testing/outcomes.mjs';
import { runVitest } from '../testing/run-vitest.mjs';
import { slowestLines } from '../testing/slowest-files.mjs';
import { setUpOnTerminal } from './set-up.mjs';

export async function main() {
  if ((await setUpOnTerminal()) !== 'done') {
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
    return;
  }
  process.exitCode = await testOnTerminal(repositoryRoot, process.argv.slice(2));
}

/**
 * @param {string} root - where vitest runs
 * @param {readonly string[]} args - passed to vitest
 * @returns {Promise<number>} exit code
 */
export async function testOnTerminal(root, args) {
  /** @type {(signal: NodeJS.Signals) => void} */
  let stopVitest = () => {};
  const unlisten = listenForStop({
    onStop: () => stopVitest('SIGTERM'),
    onInsist: () => stopVitest('SIGKILL'),
  });
  const onStart = (/** @type {typeof stopVitest} */ stop) => {
    stopVitest = stop;
  };
  const { outcomes, exitCode } = await runVitest({ root, args, env: process.env, onStart });
  unlisten();
  const result = verdict(outcomes, exitCode, { mayBeEmpty: args.includes('--changed') });
  console.log(`\n${[...slowestLines(outcomes?.slowest ?? []), ...result.lines].join('\n')}`);
  return result.exitCode;
}
