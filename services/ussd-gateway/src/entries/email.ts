import { asciiDigits } from '../engine/decimal-digits.js';
import { entryKind } from './entry-kind.js';

const maxChars = 100;

/** `*` is missing on purpose: it separates inputs on the wire. */
const address = /^[\w.!#$%&'+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** An email address, as addresses look in practice; whether it receives mail is not known here. */
export const email = entryKind({
  settings: {},
  refusals: ['form'],
  make: () => ({
    longest: ['w', '~', '^'].map((letter) => `${letter.repeat(64)}@${'w'.repeat(32)}.ke`),
    read: (text) => {
      const typed = asciiDigits(text);
      const local = typed.slice(0, typed.indexOf('@'));
      const dotted = local.startsWith('.') || local.endsWith('.') || local.includes('..');
      return typed.length <= maxChars && address.test(typed) && !dotted ? { value: typed } : { refusal: 'form' };
    },
  }),
});
