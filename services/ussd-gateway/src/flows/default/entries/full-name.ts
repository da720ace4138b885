import type { EntryRule } from '../../../engine/entry.js';

const minChars = 2;
const maxChars = 100;

/** Letters of any script with their marks, and what stands between the parts of a name. */
const nameCharacters = /^[\p{Letter}\p{Mark}' .-]+$/u;

/** A person's full name. */
export const fullName: EntryRule = {
  refusals: ['length', 'characters'],
  read: (typed) => {
    const name = typed.normalize('NFC').replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
    const chars = [...name].length;
    if (chars < minChars || chars > maxChars) return { refusal: 'length' };
    return nameCharacters.test(name) && /\p{Letter}/u.test(name) ? { value: name } : { refusal: 'characters' };
  },
};
