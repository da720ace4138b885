import { countSeptets } from './gsm7.js';

/** How much one USSD message holds, by the alphabet it needs. */
export interface MessageLimits {
  /** In septets, when every character is in the GSM 7-bit alphabet. */
  readonly septets: number;
  /** In UTF-16 code units, when one character is not and the whole message goes as UCS-2. */
  readonly ucs2Units: number;
}

/** What the network carries at most: 160 octets of packed septets (3GPP TS 23.038, 24.090). */
export const networkLimits: MessageLimits = { septets: 182, ucs2Units: 80 };

/** Where a screen is divided into pages. Handsets and gateways that cut earlier than the network does are common. */
export const pageLimits: MessageLimits = { septets: 160, ucs2Units: 70 };

/** Whether a text can be sent as one message. */
export function fitsMessage(text: string, limits: MessageLimits): boolean {
  const septets = countSeptets(text);
  return septets === undefined ? text.length <= limits.ucs2Units : septets <= limits.septets;
}
