import { asciiDigits } from '../engine/decimal-digits.js';
import { entryKind } from './entry-kind.js';

/** A secret of some form. What cannot be one is refused here, and costs no attempt. */
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

/** A PIN to log in with, or the code of 8 digits that an operator gives to somebody who forgot it. */
export const pinOrCode = secretOf(/^[0-9]{5}(?:[0-9]{3})?$/);

/** The PIN of the screen before, typed once more. */
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
