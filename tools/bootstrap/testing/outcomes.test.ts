import { describe, expect, it } from 'vitest';
import { type CountedModule, countOutcomes, verdict } from './outcomes.mjs';

function moduleOf(states: readonly string[], errors: { module?: number; suite?: number } = {}): CountedModule {
  return {
    errors: () => new Array(errors.module ?? 0).fill('error'),
    children: {
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
      allSuites: () => [{ errors: () => new Array(errors.suite ?? 0).fill('error') }],
    },
  };
}

describe('countOutcomes', () => {
  it('counts tests over all files', () => {
    const modules = [moduleOf(['passed', 'failed', 'skipped']), moduleOf(['passed'])];
    expect(countOutcomes(modules, [])).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it.each([
    ['a file that can not be imported', [moduleOf([], { module: 1 })], []],
    ['a suite whose hook fails', [moduleOf([], { suite: 1 })], []],
    ['an error nobody caught', [], ['error']],
    ['a test that was cut off', [moduleOf(['pending'])], []],
  ])('counts %s as failed', (_what, modules, unhandled) => {
    expect(countOutcomes(modules, unhandled).failed).toBe(1);
  });
});

describe('verdict', () => {
  it('ends with the exact line, with what was skipped only when something was', () => {
    expect(verdict({ passed: 3, failed: 0, skipped: 0 }, 0)).toEqual({ lines: ['3 passed, 0 failed'], exitCode: 0 });
    expect(verdict({ passed: 3, failed: 0, skipped: 2 }, 0).lines.at(-1)).toBe('3 passed, 0 failed, 2 skipped');
  });

  it('is a success when nothing ran and nothing had to', () => {
    const none = { passed: 0, failed: 0, skipped: 0 };
    expect(verdict(none, 0, { mayBeEmpty: true })).toEqual({
      lines: ['No test ran.', '0 passed, 0 failed'],
      exitCode: 0,
    });
    expect(verdict({ ...none, failed: 1 }, 1, { mayBeEmpty: true }).exitCode).toBe(1);
  });

  it('names the back ends this machine lacks', () => {
    const { lines } = verdict({ passed: 1, failed: 0, skipped: 2, missingServices: ['Redis', 'Postgres'] }, 0);
    expect(lines[0]).toBe('Skipped: tests that need a real Redis or Postgres, which this machine does not have.');
  });

  it.each([
    ['a test failed', { passed: 1, failed: 1, skipped: 0 }, 1, '1 passed, 1 failed'],
    ['nothing ran', { passed: 0, failed: 0, skipped: 4 }, 0, '0 passed, 0 failed, 4 skipped'],
    ['vitest failed for another reason', { passed: 1, failed: 0, skipped: 0 }, 1, '1 passed, 1 failed'],
    ['vitest left no figures', undefined, 139, '0 passed, 1 failed'],
    ['something failed and yet vitest ended well', { passed: 1, failed: 1, skipped: 0 }, 0, '1 passed, 1 failed'],
  ])('is a failure when %s', (_why, outcomes, vitestExitCode, line) => {
    const { lines, exitCode } = verdict(outcomes, vitestExitCode);
    expect(lines.at(-1)).toBe(line);
    expect(exitCode).toBeGreaterThan(0);
  });
});
