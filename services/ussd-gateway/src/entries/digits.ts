import { asciiDigits } from '../engine/decimal-digits.js';
import { entryKind } from './entry-kind.js';
import { wholeNumber } from './settings.js';

/** Digits, such as the number of a meter. Leading zeros count. */
export const digits = entryKind({
  settings: { min: wholeNumber(1, 160).default(1), max: wholeNumber(1, 160) },
  refusals: ['form'],
  make: ({ min, max }) => {
    const form = new RegExp(`^[0-9]{${min},${max}}$`);
    return {
      longest: ['9'.repeat(max)],
      read: (typed) => {
        const number = asciiDigits(typed);
        return form.test(number) ? { value: number } : { refusal: 'form' };
      },
    };
  },
});
