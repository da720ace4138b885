import type { EntryRule } from '../../../engine/entry.js';

/** A PIN to log in with, or the code of 8 digits that an operator gives to somebody who forgot it. */
export const pinOrCode: EntryRule = {
  refusals: ['form'],
  read: (typed) => (/^[0-9]{5}(?:[0-9]{3})?$/.test(typed) ? { value: typed } : { refusal: 'form' }),
};
