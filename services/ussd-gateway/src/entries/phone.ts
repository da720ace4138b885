import { phoneNumberPattern } from '@mlango/schemas/ussd';
import { z } from 'zod';
import { entryKind } from './entry-kind.js';

/** Somebody's phone number, kept as E.164: `+254711000001`, `00254711000001`, or, with a country, `0711000001`. */
export const phone = entryKind({
  settings: {
    country: z
      .string()
      .regex(/^[1-9][0-9]{0,2}$/, 'must be the digits of a country code, such as 254')
      .optional(),
  },
  refusals: ['form'],
  make: ({ country }) => ({
    longest: [`+${'9'.repeat(15)}`],
    read: (typed) => {
      const dialled = typed.replaceAll(/[ -]/g, '');
      const number = dialled.startsWith('00')
        ? `+${dialled.slice(2)}`
        : country !== undefined && dialled.startsWith('0')
          ? `+${country}${dialled.slice(1)}`
          : dialled;
      return phoneNumberPattern.test(number) ? { value: number } : { refusal: 'form' };
    },
  }),
});
