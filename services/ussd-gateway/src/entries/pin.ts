import { asciiDigits } from '../engine/ascii-digits.js';
import { entryKind } from './entry-kind.js';

/** A secret of a form. A malformed one is refused without using an attempt. */
const secretOf = (form: RegExp) =>
  entryKind({
    settings: {},
    secret: true,
    refusals: ['form'],
    make: () => ({
      longest: [],
      read: (typed) => {
        const secret = asciiDigits(typed);
        return form.test(secret) ? { value: secret } : { refusal: 'form' };
      },
    }),
  });

/** A PIN to be checked. */
export const pin = secretOf(/^[0-9]{5}$/);

/** A PIN for a log-in, or the code of 8 digits from an operator for a forgotten PIN. */
export const pinOrCode = secretOf(/^[0-9]{5}(?:[0-9]{3})?$/);

/** Repetition of the PIN of the previous screen. */
export const samePin = entryKind({
  settings: {},
  secret: true,
  holdsSecret: true,
  refusals: ['differs'],
  make: () => ({
    longest: [],
    read: (typed, { held }) =>
      held !== undefined && asciiDigits(typed) === held ? { value: held } : { refusal: 'differs' },
  }),
});
