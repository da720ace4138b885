import { entryKind } from './entry-kind.js';
import { wholeNumber } from './settings.js';
import { withPoint } from './with-point.js';
import { readWrittenNumber } from './written-number.js';

const most = 999_999_999_999;

/** A sum of money, typed with the marks of the session's language; kept with a point before all of its decimals, without leading zeros. */
export const amount = entryKind({
  settings: {
    min: wholeNumber(0, most).default(1),
    max: wholeNumber(1, most),
    decimals: wholeNumber(0, 6).default(0),
  },
  refusals: ['form', 'low', 'high'],
  make: ({ min, max, decimals }) => {
    const unit = 10n ** BigInt(decimals);
    const print = (minor: bigint) => withPoint(String(minor), decimals);
    return {
      longest: [print(BigInt(max) * unit)],
      read: (typed, { language }) => {
        const { whole, part } = readWrittenNumber(typed, language) ?? { whole: '', part: '' };
        if (whole === '' || whole.length > 18 || part.length > decimals) return { refusal: 'form' };
        const minor = BigInt(whole) * unit + BigInt(part.padEnd(decimals, '0') || '0');
        if (minor < BigInt(min) * unit) return { refusal: 'low' };
        return minor > BigInt(max) * unit ? { refusal: 'high' } : { value: print(minor) };
      },
    };
  },
});
