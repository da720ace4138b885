import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from './calculate.js';

describe('a calculation', () => {
  it('follows the usual order of operations', () => {
    expect(calculate('2 + 3 * 4')).toBe('14');
    expect(calculate('(2 + 3) * -4')).toBe('-20');
    expect(calculate('10 / 4 / 5')).toBe('0.5');
    expect(calculate('0.1 + 0.2')).toBe('0.3');
  });

  it('is refused if it is invalid', () => {
    for (const text of [
      '',
      '12',
      '2 +',
      '(2 + 3',
      '2 3 + 4',
      '1 / 0',
      'a + b',
      `${'('.repeat(500)}1+1${')'.repeat(500)}`,
    ]) {
      expect(calculate(text), text).toBeUndefined();
    }
  });

  it('agrees with addition and multiplication on whole numbers', () => {
    const small = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        expect(calculate(`${a} + ${b} * ${c}`)).toBe(String(a + b * c));
        expect(calculate(`(${a} - ${b}) * ${c}`)).toBe(String((a - b) * c || 0));
      }),
    );
  });
});
