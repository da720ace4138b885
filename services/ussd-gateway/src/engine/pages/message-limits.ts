import { countSeptets } from './gsm7.js';

/** Capacity of one USSD message, by alphabet. */
export interface MessageLimits {
  /** In septets, when every character is in the GSM 7-bit alphabet. */
  readonly septets: number;
  /** In UTF-16 code units, if one character is not and the whole message is sent as UCS-2. */
  readonly ucs2Units: number;
}

/** Limit of the network: 160 octets of packed septets (3GPP TS 23.038, 24.090). */
export const networkLimits: MessageLimits = { septets: 182, ucs2Units: 80 };

/** Limits for dividing a screen into pages. Many handsets and gateways cut earlier than the network does. */
export const pageLimits: MessageLimits = { septets: 160, ucs2Units: 70 };

/** Whether a text fits into one message. */
export function fitsMessage(text: string, limits: MessageLimits): boolean {
  const septets = countSeptets(text);
  return septets === undefined ? text.length <= limits.ucs2Units : septets <= limits.septets;
}

/** Capacity of a single SMS, and of each part of a longer one: a part needs six octets for its header (3GPP TS 23.040). */
const smsSeptets = { alone: 160, part: 153 } as const;
const smsUcs2Units = { alone: 70, part: 67 } as const;

/** Number of SMS for a text: in GSM 7-bit, or in UCS-2 if one character is outside of that alphabet. */
export function countSegments(text: string): number {
  const all = countSeptets(text);
  return all === undefined
    ? partsOf(text, smsUcs2Units, ({ length }) => length, text.length)
    : partsOf(text, smsSeptets, septetsOfCharacter, all);
}

function septetsOfCharacter(character: string): number {
  return countSeptets(character) ?? 0;
}

/** No character is divided between two parts: neither an escape sequence nor a surrogate pair. */
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
