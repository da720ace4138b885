import { amount } from './amount.js';
import { code, customerId, digits } from './code.js';
import { newPin } from './new-pin.js';
import { phone } from './phone.js';
import { pin, pinOrCode, samePin } from './pin.js';
import { email, personName, text } from './text.js';

/** Kinds of text that a screen can request, by their name in flows. */
export const entryKinds = {
  amount,
  code,
  customerId,
  digits,
  email,
  newPin,
  personName,
  phone,
  pin,
  pinOrCode,
  samePin,
  text,
} as const;

export type EntryName = keyof typeof entryKinds;
