import type { EntryRule } from '../../../engine/entry.js';

/** The PIN of the screen before, typed once more. */
export const samePin: EntryRule = {
  refusals: ['differs'],
  read: (typed, { held }) => (held !== undefined && typed === held ? { value: typed } : { refusal: 'differs' }),
};
