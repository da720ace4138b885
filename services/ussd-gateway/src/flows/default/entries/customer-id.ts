import type { EntryRule } from '../../../engine/entry.js';

/** A Customer ID in any case. Letters that are taken for digits, and are in no id, are read as those digits. */
export const customerId: EntryRule = {
  refusals: ['form'],
  read: (typed) => {
    const id = typed.toUpperCase();
    if (!/^C[0-9A-Z]{8}$/.test(id)) return { refusal: 'form' };
    return { value: `C${id.slice(1).replaceAll('O', '0').replaceAll(/[IL]/g, '1')}` };
  },
};
