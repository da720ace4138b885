import { asciiDigits } from '../engine/decimal-digits.js';
import { entryKind } from './entry-kind.js';

/** A Customer ID in any case. Letters that are taken for digits, and are in no id, are read as those digits. */
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
