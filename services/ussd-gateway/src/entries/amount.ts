import { asciiDigits } from '../engine/ascii-digits.js';
import { entryKind, wholeNumber } from './entry-kind.js';

const most = 999_999_999_999;

/**
 * A sum of money, typed with the marks of the session's language; stored with a point before all of its decimals,
 * without leading zeros.
 */
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

/** A number as a person writes it, in ASCII digits. */
export interface WrittenNumber {
  readonly whole: string;
  /** The decimals; empty if there are none. */
  readonly part: string;
}

const formByLanguage = new Map<string, RegExp>();

/**
 * Parses a number in the digits of any script, with the marks of a language (CLDR): `1,000.50` in English is `1.000,50`
 * in Portuguese and `1 000,50` in French. Groups of digits must be complete, so a mark of another language is refused
 * and never misread.
 *
 * @returns undefined for a text that is no number in this language.
 */
function readWrittenNumber(text: string, language: string): WrittenNumber | undefined {
  const form = formByLanguage.get(language) ?? formOf(language);
  formByLanguage.set(language, form);
  const groups = form.exec(asciiDigits(text).replaceAll(/\s/gu, ' '))?.groups;
  return groups && { whole: (groups['whole'] ?? '').replaceAll(/[^0-9]/g, ''), part: groups['part'] ?? '' };
}

/** An unknown language uses the English form. */
function formOf(language: string): RegExp {
  const known = Intl.NumberFormat.supportedLocalesOf(language).length > 0 ? language : 'en';
  const format = new Intl.NumberFormat(known, { useGrouping: 'always', numberingSystem: 'latn' });
  const parts = format
    .formatToParts(1_234_567.8)
    .map(({ type, value }) => ({ type, value: value.replace(/\s/u, ' ') }));
  const marks = (type: string) => parts.filter((part) => part.type === type).map(({ value }) => value);
  // A blank groups digits in every language, and the Arabic marks are unambiguous.
  const group = new Set([...marks('group'), ' ', '٬']);
  if (group.has("'") || group.has('’')) group.add("'").add('’');
  // Keypads have a point and rarely a comma: a point marks decimals unless it groups digits.
  const decimal = new Set([...marks('decimal'), '٫', ...(group.has('.') ? [] : ['.'])]);
  const anyOf = (some: ReadonlySet<string>) => `[${[...some].join('')}]`;
  // India groups by two digits before the last three.
  const between = marks('integer')[1]?.length === 2 ? '{2,3}' : '{3}';
  const whole = `[0-9]{1,3}(?<mark>${anyOf(group)})(?:[0-9]${between}\\k<mark>)*[0-9]{3}|[0-9]+`;
  return new RegExp(`^(?<whole>${whole})(?:${anyOf(decimal)}(?<part>[0-9]+))?$`);
}

/** A sum as digits of its smallest unit, with a point before its decimals. */
export function withPoint(minor: string, decimals: number): string {
  if (decimals === 0) return minor;
  const digits = minor.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
