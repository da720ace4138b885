import { z } from 'zod';
import { asciiDigits } from '../engine/decimal-digits.js';
import { entryKind } from './entry-kind.js';
import { wholeNumber } from './settings.js';

const cases = { lower: (text: string) => text.toLowerCase(), upper: (text: string) => text.toUpperCase() };

/** Letters and digits of the Latin alphabet, such as a reference; in one case, since keypads mix them. */
export const code = entryKind({
  settings: {
    min: wholeNumber(1, 160).default(1),
    max: wholeNumber(1, 160),
    case: z.enum(['lower', 'upper']).default('upper'),
  },
  refusals: ['form'],
  make: ({ min, max, case: kept }) => {
    const form = new RegExp(`^[0-9A-Za-z]{${min},${max}}$`);
    return {
      longest: ['W'.repeat(max)],
      read: (typed) => {
        const code = asciiDigits(typed);
        return form.test(code) ? { value: cases[kept](code) } : { refusal: 'form' };
      },
    };
  },
});
