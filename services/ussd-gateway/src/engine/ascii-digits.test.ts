import { describe, expect, it } from 'vitest';
import { asciiDigits } from './ascii-digits.js';

/** Numbering systems with ten decimal digits, each with its digits from 0 to 9. */
const systems = Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
  const digits = Array.from({ length: 10 }, (_, digit) =>
    new Intl.NumberFormat(`en-u-nu-${system}`).format(digit),
  ).join('');
  return /^\p{Decimal_Number}{10}$/u.test(digits) ? [{ system, digits }] : [];
});

describe('asciiDigits', () => {
  it('is tested with the digits of many scripts', () => expect(systems.length).toBeGreaterThan(50));

  it.each(systems)('reads the digits of $system as 0 to 9', ({ digits }) =>
    expect(asciiDigits(digits)).toBe('0123456789'),
  );

  it('keeps letters, signs and numbers other than decimal digits', () =>
    expect(asciiDigits('a-٤ ½ Ⅳ ④ 零 💯 ৩')).toBe('a-4 ½ Ⅳ ④ 零 💯 3'));
});
