import { countSeptets } from '../../engine/pages/gsm7.js';
import { printable } from '../run-query.js';

/** Most characters of an answer that are shown: about four pages of either alphabet. */
export const answerChars = 400;
const answerUcs2Units = 240;

/** Longest answers in their shown form. */
export const longestAnswers: readonly string[] = [
  'W'.repeat(answerChars),
  'Word '.repeat(answerChars / 5),
  'ŵ'.repeat(answerUcs2Units),
  '𞤀'.repeat(answerUcs2Units / 2),
];

/** Characters missing in the GSM alphabet, with their replacements. */
const likeness: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′`´]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/[‐‑‒–—―−]/gu, '-'],
  [/…/gu, '...'],
  [/[•·▪◦]/gu, '-'],
];

/** Markdown as models usually write it. Each rule processes one line in one pass. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(?:```|~~~).*$/gmu, ''],
  [/^ {0,3}(?:#{1,6}|>) +/gmu, ''],
  [/^ {0,3}[*+-] +/gmu, '- '],
  [/^ {0,3}(?:[*_-] ?){3,}$/gmu, ''],
  [/^[ |:-]+$/gmu, ''],
  [/!?\[([^\]\n]{0,300})\]\([^()\n]{0,500}\)/gu, '$1'],
  [/(\*\*|__|~~)(?=\S)([^\n]{0,500}?\S)\1/gu, '$2'],
  [/(^|[\s(])([*_])(?=\S)([^*_\n]{0,500}?\S)\2(?=[\s).,;:!?]|$)/gmu, '$1$3'],
  [/`([^`\n]{1,300})`/gu, '$1'],
];

/** An answer for a phone without a browser: one line without Markdown, in the GSM alphabet where possible. */
export function phoneText(answer: string): string {
  // The part that is never shown is not processed.
  const shown = answer.slice(0, 20 * answerChars);
  const plain = marks.reduce((text, [mark, instead]) => text.replaceAll(mark, instead), shown);
  const text = printable(
    likeness.reduce((changed, [sign, instead]) => changed.replaceAll(sign, instead), plain.normalize('NFC')),
    answerChars,
  );
  if (countSeptets(text) !== undefined || text.length <= answerUcs2Units) return text;
  let units = 0;
  const fitting = [...text].filter((character) => {
    units += character.length;
    return units <= answerUcs2Units - 3;
  });
  return `${fitting.join('').trimEnd()}...`;
}
