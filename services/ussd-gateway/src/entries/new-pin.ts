import { asciiDigits } from '../engine/ascii-digits.js';
import { entryKind } from './entry-kind.js';

const fiveDigits = /^[0-9]{5}$/;

/** A new PIN: five digits that are hard to guess. */
export const newPin = entryKind({
  settings: {},
  secret: true,
  refusals: ['form', 'repeated', 'run', 'phone'],
  make: () => ({
    longest: [],
    read: (text, { facts }) => {
      const typed = asciiDigits(text);
      if (!fiveDigits.test(typed)) return { refusal: 'form' };
      if (new Set(typed).size === 1) return { refusal: 'repeated' };
      if (isRun(typed, 1) || isRun(typed, 9)) return { refusal: 'run' };
      if (facts['phoneNumber']?.endsWith(typed) === true) return { refusal: 'phone' };
      return { value: typed };
    },
  }),
});

/** Whether each digit follows the previous one by the same step, with 0 after 9 as on a keypad. */
function isRun(pin: string, step: number): boolean {
  const digits = Array.from(pin, Number);
  return digits.every((digit, index) => index === 0 || digit === ((digits[index - 1] ?? 0) + step) % 10);
}
