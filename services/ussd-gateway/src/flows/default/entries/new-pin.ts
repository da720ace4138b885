import type { Entry, EntryRule } from '../../../engine/entry.js';

const fiveDigits = /^[0-9]{5}$/;

/** A PIN that is being chosen: five digits that nobody would try first. */
export const newPin: EntryRule = {
  refusals: ['form', 'repeated', 'run', 'phone'],
  read: (typed, { facts }) => {
    if (!fiveDigits.test(typed)) return { refusal: 'form' };
    if (new Set(typed).size === 1) return { refusal: 'repeated' };
    if (isRun(typed, 1) || isRun(typed, 9)) return { refusal: 'run' };
    if (facts['phoneNumber']?.endsWith(typed) === true) return { refusal: 'phone' };
    return { value: typed };
  },
};

/** Why one is refused, on the same screen. */
export const newPinRefusals: Entry['refusals'] = {
  form: { reason: 'pinForm' },
  repeated: { reason: 'pinRepeated' },
  run: { reason: 'pinRun' },
  phone: { reason: 'pinPhone' },
};

/** Whether each digit follows the one before by the same step, 0 after 9 as on a keypad. */
function isRun(pin: string, step: number): boolean {
  const digits = Array.from(pin, Number);
  return digits.every((digit, index) => index === 0 || digit === ((digits[index - 1] ?? 0) + step) % 10);
}
