import { entryKind } from './entry-kind.js';

const minChars = 2;
const maxChars = 100;

/** Letters of any script with their marks, and what stands between the parts of a name. */
const nameCharacters = /^[\p{Letter}\p{Mark}' .-]+$/u;

/** In the GSM alphabet in one word and in many, and outside of it, where a character is one unit or two. */
export const longestNames = [
  'W'.repeat(maxChars),
  'Ana Maria '.repeat(maxChars / 10),
  'ŵ'.repeat(maxChars),
  '𞤀'.repeat(maxChars),
];

/** A person's full name. */
export const personName = entryKind({
  settings: {},
  refusals: ['length', 'characters'],
  make: () => ({
    longest: longestNames,
    read: (typed) => {
      const name = typed.normalize('NFC').replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
      const chars = [...name].length;
      if (chars < minChars || chars > maxChars) return { refusal: 'length' };
      return nameCharacters.test(name) && /\p{Letter}/u.test(name) ? { value: name } : { refusal: 'characters' };
    },
  }),
});
