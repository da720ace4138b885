import { writeFileSync } from 'node:fs';
import { failuresOf } from './failures.mjs';
import { countOutcomes } from './outcomes.mjs';
import { slowestFiles } from './slowest-files.mjs';

/** A vitest reporter that leaves the figures of a run in the file named by TEST_OUTCOMES_FILE. */
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env['TEST_OUTCOMES_FILE'];
    if (file === undefined) return;
    const missing = new Set(modules.flatMap((module) => missingServices(module.project)));
    const outcomes = countOutcomes(modules, unhandledErrors);
    const failures = failuresOf(modules);
    const slowest = slowestFiles(modules);
    writeFileSync(file, JSON.stringify({ ...outcomes, failures, missingServices: [...missing], slowest }));
  }
}

/**
 * The back ends the global set-up looked for and did not find.
 * @param {import('vitest/node').TestProject} project
 * @returns {string[]}
 */
function missingServices(project) {
  const context = /** @type {Record<string, unknown>} */ (project.getProvidedContext());
  const services = context['testServices'];
  if (typeof services !== 'object' || services === null) return [];
  return Object.entries(services).flatMap(([name, source]) =>
    source === undefined ? [name.charAt(0).toUpperCase() + name.slice(1)] : [],
  );
}
