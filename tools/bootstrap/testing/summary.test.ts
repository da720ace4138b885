import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary.mjs';

const run = (passed: number, failed = 0, skipped = 0, failures: string[] = []) => ({
  passed,
  failed,
  skipped,
  failures,
  slowest: [],
});

describe('the summary of a test run', () => {
  it('ends with the totals of all runs, with skipped tests only when there are some', () => {
    expect(summaryOf([run(2), run(1)], 0)).toEqual({ lines: ['3 passed, 0 failed'], exitCode: 0 });
    expect(summaryOf([run(3, 0, 2)], 0).lines.at(-1)).toBe('3 passed, 0 failed, 2 skipped');
  });

  it('lists slow files and failures', () => {
    const slow = { ...run(0, 1, 0, ['a.test.ts > fails\n  no']), slowest: [{ file: 'a.test.ts', seconds: 2.54 }] };
    expect(summaryOf([slow], 1).lines).toEqual([
      'The slowest files:',
      '    2.5 s  a.test.ts',
      'Failed: a.test.ts > fails\n  no',
      '0 passed, 1 failed',
    ]);
  });

  it('is a success without tests only if the run may be empty', () => {
    const empty = { lines: ['No test ran.', '0 passed, 0 failed'], exitCode: 0 };
    expect(summaryOf([run(0)], 0, { mayBeEmpty: true })).toEqual(empty);
    expect(summaryOf([run(0, 1)], 1, { mayBeEmpty: true }).exitCode).toBe(1);
    expect(summaryOf([undefined], 0, { mayBeEmpty: true }).exitCode).toBe(1);
  });

  it.each([
    ['a test failed', [run(1, 1)], 1, '1 passed, 1 failed'],
    ['no test ran', [run(0, 0, 4)], 0, '0 passed, 0 failed, 4 skipped'],
    ['vitest failed for another reason', [run(1)], 1, '1 passed, 1 failed'],
    ['vitest left no figures', [run(1), undefined], 139, '0 passed, 1 failed'],
    ['a test failed and vitest ended with 0', [run(1, 1)], 0, '1 passed, 1 failed'],
  ])('is a failure when %s', (_why, runs, vitestExitCode, line) => {
    const { lines, exitCode } = summaryOf(runs, vitestExitCode);
    expect(lines.at(-1)).toBe(line);
    expect(exitCode).toBeGreaterThan(0);
  });
});
