import { longestTexts } from '../engine/longest-facts.js';
import { entryKind } from './entry-kind.js';
import { wholeNumber } from './settings.js';

/** Any text of so many characters. */
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
