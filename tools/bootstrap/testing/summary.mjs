/** @typedef {import('./outcomes-reporter.mjs').Outcomes} Outcomes */

/**
 * The last lines of `npm test` and its exit code. A run that failed in any way, or ran nothing, is never a success.
 * @param {readonly (Outcomes | undefined)[]} runs - undefined if vitest left no figures
 * @param {number} exitCode - the highest of vitest
 * @param {{ mayBeEmpty?: boolean }} [options] - a change may have no tests
 * @returns {{ lines: string[], exitCode: number }}
 */
export function summaryOf(runs, exitCode, { mayBeEmpty = false } = {}) {
  const finished = runs.filter((run) => run !== undefined);
  const isWhole = finished.length === runs.length;
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    isWhole ? finished.reduce((total, run) => total + run[key], 0) : 0;
  const [passed, skipped] = [sum('passed'), sum('skipped')];
  const slowest = finished.flatMap((run) => run.slowest);
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  if (lines.length > 0) lines.unshift('The slowest files:');
  lines.push(...finished.flatMap((run) => run.failures.map((failure) => `Failed: ${failure}`)));
  let failed = sum('failed');
  if (failed === 0 && exitCode !== 0) {
    failed = 1;
    lines.push(`No test failed, but vitest ended with exit code ${exitCode}: that counts as one failure.`);
  } else if (failed === 0 && passed === 0) {
    lines.push('No test ran.');
  }
  lines.push(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  const isEmpty = passed === 0 && !(mayBeEmpty && isWhole);
  return { lines, exitCode: failed > 0 || isEmpty ? Math.max(exitCode, 1) : 0 };
}
