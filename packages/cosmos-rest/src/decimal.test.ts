import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDecimal } from './decimal.js';

describe('printDecimal', () => {
  it.each([
    ['0', '0.000000000000000000'],
    ['1', '0.000000000000000001'],
    ['-1', '-0.000000000000000001'],
    ['10000000000000000000', '10.000000000000000000'],
    ['-2500000000000000000', '-2.500000000000000000'],
    ['123456789012345678901234567890', '123456789012.345678901234567890'],
    ['007', '0.000000000000000007'],
  ])('puts the point of %s at the 18th digit', (wire, text) => {
    expect(printDecimal(wire)).toBe(text);
  });

  it.each(['', 'x', '1.5', '+1', '--1', '1e18', ' 1'])('leaves %j unchanged', (wire) => {
    expect(printDecimal(wire)).toBe(wire);
  });

  it('is lossless: without the point it is the same integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        const text = printDecimal(String(value));
        expect(BigInt(text.replace('.', ''))).toBe(value);
        expect(text.split('.')[1]).toHaveLength(18);
      }),
    );
  });
});
