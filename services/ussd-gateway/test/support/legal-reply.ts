import { expect } from 'vitest';

/** The GSM 7-bit default alphabet (3GPP TS 23.038): one septet each, then the characters that need an escape. */
const oneSeptet = new Set(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \n\r@!"#%&\'()*+,-./:;<=>?_$£¥¤§¡¿' +
    'ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΔΦΓΛΩΠΨΣΘΞ',
);
const twoSeptets = new Set('^{}[]~\\|€\f');

/** Size of a message: septets, or UTF-16 units if one character is outside of the alphabet. */
export function sizeOf(message: string): { readonly alphabet: 'gsm7' | 'ucs2'; readonly units: number } {
  let units = 0;
  for (const character of message) {
    if (oneSeptet.has(character)) units += 1;
    else if (twoSeptets.has(character)) units += 2;
    else return { alphabet: 'ucs2', units: message.length };
  }
  return { alphabet: 'gsm7', units };
}

/** Whether a network can carry a message: not empty, at most 182 septets or 80 characters. */
export function isLegalMessage(message: string): boolean {
  const { alphabet, units } = sizeOf(message);
  return message.trim() !== '' && units <= (alphabet === 'gsm7' ? 182 : 80) && !/\p{Surrogate}/u.test(message);
}

/** Fails unless a reply is `CON` or `END`, and one legal message. */
export function expectLegalReply(reply: string): void {
  const [, verb, message = ''] = /^(CON|END) ([\s\S]*)$/.exec(reply) ?? [];
  expect(verb !== undefined && isLegalMessage(message), `not one legal reply: ${JSON.stringify(reply)}`).toBe(true);
}
