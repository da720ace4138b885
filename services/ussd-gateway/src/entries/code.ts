import { z } from 'zod';
import { asciiDigits } from '../engine/ascii-digits.js';
import { entryKind, wholeNumber } from './entry-kind.js';

const cases = { lower: (text: string) => text.toLowerCase(), upper: (text: string) => text.toUpperCase() };

/** Letters and digits of the Latin alphabet, such as a reference; in one case, since keypads mix them. */
export const code = entryKind({
  settings: {
    min: wholeNumber(1, 160).default(1),
    max: wholeNumber(1, 160),
    case: z.enum(['lower', 'upper']).default('upper'),
  },
  refusals: ['form'],
  make: ({ min, max, case: letterCase }) => {
    const form = new RegExp(`^[0-9A-Za-z]{${min},${max}}$`);
    return {
      longest: ['W'.repeat(max)],
      read: (typed) => {
        const code = asciiDigits(typed);
        return form.test(code) ? { value: cases[letterCase](code) } : { refusal: 'form' };
      },
    };
  },
});

/** Digits, such as the number of a meter. Leading zeros are significant. */
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

/** A Customer ID in any case. Letters that look like digits, and are in no id, are read as those digits. */
export const customerId = entryKind({
  settings: {},
  refusals: ['form'],
  make: () => ({
    longest: ['C00000000'],
    read: (typed) => {
      const id = asciiDigits(typed).toUpperCase();
      if (!/^C[0-9A-Z]{8}$/.test(id)) return { refusal: 'form' };
      return { value: `C${id.slice(1).replaceAll('O', '0').replaceAll(/[IL]/g, '1')}` };
    },
  }),
});
