import type { EntryRule } from '../../../engine/entry.js';

/** A PIN to be checked. What cannot be one is refused here, and costs no attempt. */
export const currentPin: EntryRule = {
  refusals: ['form'],
  read: (typed) => (/^[0-9]{5}$/.test(typed) ? { value: typed } : { refusal: 'form' }),
};
