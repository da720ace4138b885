/** @typedef {import('./run-vitest.mjs').RunOutcomes} RunOutcomes */

// More than that is no accident.
const MOST_FILES = 3;

/**
 * The files worth another run by themselves: a few that failed beside all others, where nothing else went wrong.
 * @param {RunOutcomes | undefined} outcomes
 * @returns {string[]} absolute, none when another run would tell nothing
 */
export function filesToRunAgain(outcomes) {
  if (outcomes === undefined || outcomes.failures.length < outcomes.failed) return [];
  const files = [...new Set(outcomes.failures.map(({ file }) => file))];
  return files.length <= MOST_FILES ? files : [];
}

/**
 * What both runs say: a failure counts unless all tests of its file passed when they ran alone.
 * @param {RunOutcomes} together
 * @param {RunOutcomes | undefined} alone
 * @param {number} exitCode - of the run alone
 * @returns {{ outcomes: RunOutcomes, exitCode: number, lines: string[] }}
 */
export function withThoseRunAgain(together, alone, exitCode) {
  const named = together.failures.map(({ name, reason }) => `  ${name}\n    ${reason}`);
  if (alone === undefined || exitCode !== 0 || alone.failed > 0 || alone.passed === 0) {
    return {
      outcomes: together,
      exitCode: Math.max(exitCode, 1),
      lines: [
        'Failed beside the others, and alone:',
        ...named,
        ...(alone?.failures ?? []).map(({ name, reason }) => `  alone: ${name}\n    ${reason}`),
      ],
    };
  }
  return {
    outcomes: { ...together, passed: together.passed + together.failed, failed: 0, failures: [] },
    exitCode: 0,
    lines: ['Failed beside the others and passed alone. Each is a defect, of the test or of what it tests:', ...named],
  };
}
