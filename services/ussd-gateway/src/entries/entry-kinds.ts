import { amount } from './amount.js';
import { code } from './code.js';
import { customerId } from './customer-id.js';
import { digits } from './digits.js';
import { email } from './email.js';
import { newPin } from './new-pin.js';
import { personName } from './person-name.js';
import { phone } from './phone.js';
import { pin, pinOrCode, samePin } from './pin.js';
import { text } from './text.js';

/** What a screen can ask for, by the name that flows use. */
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
