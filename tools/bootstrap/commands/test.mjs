import { listenForStop } from '../process/stop-requests.mjs';
import { repositoryRoot } from '../repository.mjs';
import { runVitest } from '../testing/run-vitest.mjs';
import { summaryOf } from '../testing/summary.mjs';
import { setUpOnTerminal } from './set-up.mjs';

/** The suites that an argument selects; vitest gets other arguments. Without one: `node`. */
const SUITES = { '--all': ['node', 'integration'], '--integration': ['integration'] };

export async function main() {
  if ((await setUpOnTerminal()) !== 'done') {
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
    return;
  }
  process.exitCode = await testOnTerminal(repositoryRoot, process.argv.slice(2));
}

/**
 * Runs the tests that depend on Node only, those that need other programs, or both, and prints one line of totals.
 * @param {string} root - where vitest runs
 * @param {readonly string[]} args - `--integration` or `--all` first, if given; the rest is passed to vitest
 * @returns {Promise<number>} exit code
 */
export async function testOnTerminal(root, args) {
  /** @type {(signal: NodeJS.Signals) => void} */
  let stopVitest = () => {};
  let isStopped = false;
  const unlisten = listenForStop({
    onStop: () => {
      isStopped = true;
      stopVitest('SIGTERM');
    },
    onInsist: () => stopVitest('SIGKILL'),
  });
  const onStart = (/** @type {typeof stopVitest} */ stop) => {
    stopVitest = stop;
  };
  const suites = SUITES[/** @type {keyof typeof SUITES} */ (args[0])];
  const vitestArgs = suites === undefined ? [...args] : args.slice(1);
  // A file that is named belongs to one of the two.
  if ((suites?.length ?? 0) > 1 || args.includes('--changed')) vitestArgs.push('--passWithNoTests');
  const runs = [];
  for (const suite of suites ?? ['node']) {
    if (isStopped) break;
    runs.push(await runVitest({ root, args: vitestArgs, env: { ...process.env, TEST_SUITE: suite }, onStart }));
  }
  unlisten();
  const exitCode = Math.max(0, ...runs.map((run) => run.exitCode));
  const result = summaryOf(
    runs.map((run) => run.outcomes),
    exitCode,
    { mayBeEmpty: args.includes('--changed') },
  );
  console.log(`\n${result.lines.join('\n')}`);
  return result.exitCode;
}
