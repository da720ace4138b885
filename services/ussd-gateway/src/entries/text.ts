import { asciiDigits } from '../engine/ascii-digits.js';
import { longestTexts } from '../engine/facts.js';
import { entryKind, wholeNumber } from './entry-kind.js';

/** Any text of a limited length. */
export const text = entryKind({
  settings: { min: wholeNumber(1, 160).default(1), max: wholeNumber(1, 160) },
  refusals: ['length'],
  make: ({ min, max }) => ({
    longest: [...longestTexts(max), '𞤀'.repeat(max)],
    read: (typed) => {
      const clean = typed.normalize('NFC').replaceAll(/\s+/gu, ' ');
      const chars = [...clean].length;
      return chars < min || chars > max ? { refusal: 'length' } : { value: clean };
    },
  }),
});

const minNameChars = 2;
const maxNameChars = 100;

/** Letters of any script with their marks, and the separators in names. */
const nameCharacters = /^[\p{Letter}\p{Mark}' .-]+$/u;

/** In the GSM alphabet as one word and as many, and outside of it, with characters of one unit or two. */
export const longestNames = [
  'W'.repeat(maxNameChars),
  'Ana Maria '.repeat(maxNameChars / 10),
  'ŵ'.repeat(maxNameChars),
  '𞤀'.repeat(maxNameChars),
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
      if (chars < minNameChars || chars > maxNameChars) return { refusal: 'length' };
      return nameCharacters.test(name) && /\p{Letter}/u.test(name) ? { value: name } : { refusal: 'characters' };
    },
  }),
});

const maxEmailChars = 100;

/** `*` is excluded: it separates inputs on the wire. */
const emailPattern =
  /^[\w.!#$%&'+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** An email address in a common form; whether it receives mail is not checked. */
export const email = entryKind({
  settings: {},
  refusals: ['form'],
  make: () => ({
    longest: ['w', '~', '^'].map((letter) => `${letter.repeat(64)}@${'w'.repeat(32)}.ke`),
    read: (text) => {
      const typed = asciiDigits(text);
      const local = typed.slice(0, typed.indexOf('@'));
      const dotted = local.startsWith('.') || local.endsWith('.') || local.includes('..');
      return typed.length <= maxEmailChars && emailPattern.test(typed) && !dotted
        ? { value: typed }
        : { refusal: 'form' };
    },
  }),
});
