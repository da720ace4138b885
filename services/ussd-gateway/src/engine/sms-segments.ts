import { countSeptets } from './gsm7.js';

/** What one message carries, and each part of one that takes several: a part spends six octets on saying which it is (3GPP TS 23.040). */
const septets = { alone: 160, part: 153 } as const;
const ucs2Units = { alone: 70, part: 67 } as const;

/** In how many SMS a text goes: in GSM 7-bit, or in UCS-2 as soon as one character of it is in no alphabet of that. */
export function countSegments(text: string): number {
  const all = countSeptets(text);
  return all === undefined
    ? partsOf(text, ucs2Units, ({ length }) => length, text.length)
    : partsOf(text, septets, septetsOf, all);
}

function septetsOf(character: string): number {
  return countSeptets(character) ?? 0;
}

/** No character is divided between two parts, neither an escaped one nor a pair of surrogates. */
function partsOf(
  text: string,
  limits: { readonly alone: number; readonly part: number },
  costOf: (character: string) => number,
  all: number,
) {
  if (all <= limits.alone) return 1;
  let parts = 1;
  let used = 0;
  for (const character of text) {
    const cost = costOf(character);
    if (used + cost > limits.part) {
      parts += 1;
      used = 0;
    }
    used += cost;
  }
  return parts;
}
