import { describe, expect, it } from 'vitest';
import { filesToRunAgain, withThoseRunAgain } from './again-alone.mjs';

const outcomes = (passed: number, files: readonly string[], failed = files.length) => ({
  passed,
  failed,
  skipped: 0,
  failures: files.map((file) => ({ file, name: `${file} > a test`, reason: 'expected 1 to be 2' })),
  missingServices: [],
  slowest: [],
});

describe('filesToRunAgain', () => {
  it('names each of a few files once', () => {
    expect(filesToRunAgain(outcomes(5, ['a', 'a', 'b']))).toEqual(['a', 'b']);
  });

  it.each([
    ['nothing failed', outcomes(5, [])],
    ['many files failed', outcomes(5, ['a', 'b', 'c', 'd'])],
    ['an error belongs to no file', outcomes(5, ['a'], 2)],
    ['the run did not come to an end', undefined],
  ])('names none when %s', (_when, together) => {
    expect(filesToRunAgain(together)).toEqual([]);
  });
});

describe('withThoseRunAgain', () => {
  const together = outcomes(5, ['a']);

  it('counts what passed alone as passed, and names it all the same', () => {
    const ended = withThoseRunAgain(together, outcomes(3, []), 0);
    expect(ended).toMatchObject({ outcomes: { passed: 6, failed: 0 }, exitCode: 0 });
    expect(ended.lines.join('\n')).toContain('a > a test');
  });

  it.each([
    ['it failed again', outcomes(2, ['a']), 1],
    ['vitest failed for another reason', outcomes(3, []), 1],
    ['nothing ran', outcomes(0, []), 0],
    ['the second run did not come to an end', undefined, 1],
  ])('keeps the failure when %s', (_when, alone, exitCode) => {
    const ended = withThoseRunAgain(together, alone, exitCode);
    expect(ended.outcomes).toBe(together);
    expect(ended.exitCode).toBe(1);
    expect(ended.lines.join('\n')).toContain('a > a test\n    expected 1 to be 2');
  });
});
