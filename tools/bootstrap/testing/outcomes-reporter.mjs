import { writeFileSync } from 'node:fs';

const SLOWEST = 20;

/**
 * The figures of a run.
 * @typedef {object} Outcomes
 * @property {number} passed
 * @property {number} failed - tests, and suites and files that could not run, and uncaught errors
 * @property {number} skipped
 * @property {string[]} failures - folder, file, test or suite, and the first lines of the error
 * @property {{ file: string, seconds: number }[]} slowest - files with the longest import and run time, slowest first
 */

/** A vitest reporter that writes the figures of a run as JSON to the file TEST_OUTCOMES_FILE. */
export default class OutcomesReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} uncaught
   */
  onTestRunEnd(modules, uncaught) {
    const outcomes = { passed: 0, failed: uncaught.length, skipped: 0, failures: /** @type {string[]} */ ([]) };
    const fail = (/** @type {string} */ name, /** @type {{ message?: string } | undefined} */ error) => {
      outcomes.failed += 1;
      const reason = (error?.message ?? 'no error').split('\n').slice(0, 5).join(' ').slice(0, 500);
      outcomes.failures.push(`${name}\n  ${reason}`);
    };
    for (const module of modules) {
      const file = nameOf(module);
      // A file with an import error, or a suite with a failed hook, has no failed test.
      for (const error of module.errors()) fail(file, error);
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) fail(`${file} > ${suite.fullName}`, error);
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed' || state === 'skipped') outcomes[state] += 1;
        // A test without a result was interrupted.
        else fail(`${file} > ${test.fullName}`, errors?.[0]);
      }
    }
    const timed = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { file: nameOf(module), seconds: (collectDuration + duration) / 1_000 };
    });
    const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
    writeFileSync(process.env['TEST_OUTCOMES_FILE'] ?? '', JSON.stringify({ ...outcomes, slowest }));
  }
}

/** @param {import('vitest/node').TestModule} module */
function nameOf(module) {
  return `${module.project.name}/${module.relativeModuleId}`;
}
