import { listenForStop } from '../process/stop-requests.mjs';
import { repositoryRoot } from '../repository.mjs';
import { filesToRunAgain, withThoseRunAgain } from '../testing/again-alone.mjs';
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
  const run = (/** @type {readonly string[]} */ what) => runVitest({ root, args: what, env: process.env, onStart });
  const together = await run(args);
  const again = process.env['TEST_FAILED_AGAIN'] === 'true' ? filesToRunAgain(together.outcomes) : [];
  /** @type {{ outcomes: typeof together.outcomes, exitCode: number, lines: string[] }} */
  let ended = {
    ...together,
    lines: (together.outcomes?.failures ?? []).map(({ name, reason }) => `Failed: ${name}\n  ${reason}`),
  };
  if (together.outcomes !== undefined && again.length > 0) {
    console.log('\nThose that failed, once more and alone:');
    const alone = await run([...again, '--maxWorkers=1', '--reporter=verbose']);
    ended = withThoseRunAgain(together.outcomes, alone.outcomes, alone.exitCode);
  }
  unlisten();
  const result = verdict(ended.outcomes, ended.exitCode, { mayBeEmpty: args.includes('--changed') });
  console.log(`\n${[...slowestLines(ended.outcomes?.slowest ?? []), ...ended.lines, ...result.lines].join('\n')}`);
  return result.exitCode;
}
