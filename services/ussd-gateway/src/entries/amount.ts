import { entryKind } from './entry-kind.js';
import { wholeNumber } from './settings.js';
import { withPoint } from './with-point.js';

const most = 999_999_999_999;

/** A sum of money, with a point before its decimals; kept with all of them, without leading zeros. */
export const amount = entryKind({
  settings: {
    min: wholeNumber(0, most).default(1),
    max: wholeNumber(1, most),
    decimals: wholeNumber(0, 6).default(0),
  },
  refusals: ['form', 'low', 'high'],
  make: ({ min, max, decimals }) => {
    const form = decimals === 0 ? /^[0-9]{1,18}$/ : new RegExp(`^[0-9]{1,18}(?:\\.[0-9]{1,${decimals}})?$`);
    const unit = 10n ** BigInt(decimals);
    const print = (minor: bigint) => withPoint(String(minor), decimals);
    return {
      longest: [print(BigInt(max) * unit)],
      read: (typed) => {
        if (!form.test(typed)) return { refusal: 'form' };
        const [whole = '0', part = ''] = typed.split('.');
        const minor = BigInt(whole) * unit + BigInt(part.padEnd(decimals, '0') || '0');
        if (minor < BigInt(min) * unit) return { refusal: 'low' };
        return minor > BigInt(max) * unit ? { refusal: 'high' } : { value: print(minor) };
      },
    };
  },
});
