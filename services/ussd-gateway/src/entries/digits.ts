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
      read: (typed) => (form.test(typed) ? { value: typed } : { refusal: 'form' }),
    };
  },
});
