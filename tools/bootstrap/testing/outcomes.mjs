/**
 * @typedef {object} Outcomes
 * @property {number} passed
 * @property {number} failed - tests, and also suites and files that could not run, and errors nobody caught
 * @property {number} skipped
 */

/**
 * What of vitest's module is looked at.
 * @typedef {object} CountedModule
 * @property {() => readonly unknown[]} errors
 * @property {{ allTests: () => Iterable<{ result: () => { state: string } }>, allSuites: () => Iterable<{ errors: () => readonly unknown[] }> }} children
 */

/**
 * @param {readonly CountedModule[]} modules
 * @param {readonly unknown[]} unhandledErrors
 * @returns {Outcomes}
 */
export function countOutcomes(modules, unhandledErrors) {
  const outcomes = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    // A file that can't be imported, or whose hook fails, has no failed test and yet has failed.
    outcomes.failed += module.errors().length;
    for (const suite of module.children.allSuites()) outcomes.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') outcomes.passed += 1;
      else if (state === 'skipped') outcomes.skipped += 1;
      // A test without a result was cut off.
      else outcomes.failed += 1;
    }
  }
  return outcomes;
}

/**
 * The figures of several runs as those of one.
 * @param {readonly (import('./run-vitest.mjs').RunOutcomes | undefined)[]} runs
 * @returns {import('./run-vitest.mjs').RunOutcomes | undefined} undefined when one of them did not come to an end
 */
export function addOutcomes(runs) {
  /** @type {import('./run-vitest.mjs').RunOutcomes} */
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [], missingServices: [], slowest: [] };
  for (const run of runs) {
    if (run === undefined) return undefined;
    sum.passed += run.passed;
    sum.failed += run.failed;
    sum.skipped += run.skipped;
    sum.failures.push(...run.failures);
    sum.missingServices.push(...run.missingServices);
    sum.slowest.push(...run.slowest);
  }
  return sum;
}

/**
 * The last line of `npm test` and its exit code. A run that failed in any way, or ran nothing, is never a success.
 * @param {(Outcomes & { missingServices?: readonly string[] }) | undefined} outcomes - undefined when vitest left none
 * @param {number} exitCode - vitest's
 * @param {{ mayBeEmpty?: boolean }} [options] - a run of what a change touches may touch nothing
 * @returns {{ lines: string[], exitCode: number }}
 */
export function verdict(outcomes, exitCode, { mayBeEmpty = false } = {}) {
  const { passed, failed, skipped, missingServices = [] } = outcomes ?? { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  if (missingServices.length > 0) {
    lines.push(`Skipped: tests that need a real ${missingServices.join(' or ')}, which this machine does not have.`);
  }
  let failures = failed;
  if (failed === 0 && exitCode !== 0) {
    failures = 1;
    lines.push(`No test failed, but vitest ended with exit code ${exitCode}: that counts as one failure.`);
  } else if (failed === 0 && passed === 0) {
    lines.push('No test ran.');
  }
  lines.push(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  const isEmpty = passed === 0 && !(mayBeEmpty && outcomes !== undefined);
  return { lines, exitCode: failures > 0 || isEmpty ? Math.max(exitCode, 1) : 0 };
}
