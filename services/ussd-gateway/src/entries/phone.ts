import { phoneNumberPattern } from '@mlango/schemas/ussd';
import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { z } from 'zod';
import { asciiDigits } from '../engine/ascii-digits.js';
import { entryKind } from './entry-kind.js';

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be a country by its two letters (ISO 3166), such as KE')
  .refine((code) => !/^[A-Z]{2}$/.test(code) || isSupportedCountry(code), 'is no country with phone numbers')
  .transform((code) => code as CountryCode);

/** Types of libphonenumber by their name in flows. Other types, such as premium rate numbers, are refused. */
const typesOf = {
  mobile: ['MOBILE', 'FIXED_LINE_OR_MOBILE'],
  fixed: ['FIXED_LINE', 'FIXED_LINE_OR_MOBILE'],
} as const;

/**
 * A phone number that libphonenumber calls valid, stored as E.164. It may have its national form, or the country code
 * with or without `+` or `00` before it. A number without a country code belongs to the caller's country; if
 * `countries` does not list that country, to the only one listed.
 */
export const phone = entryKind({
  settings: {
    countries: z
      .array(country)
      .min(1)
      .optional()
      .describe('The countries whose numbers are accepted, such as [KE, UG]; every country without it'),
    types: z
      .array(z.enum(['mobile', 'fixed'], { error: 'must be mobile or fixed' }))
      .min(1)
      .default(['mobile'])
      .describe('The types of line that are accepted: mobile, fixed'),
  },
  refusals: ['form', 'country', 'type'],
  make: ({ countries, types }) => ({
    longest: [`+${'9'.repeat(15)}`],
    refusals: countries === undefined ? ['form', 'type'] : ['form', 'country', 'type'],
    read: (typed, { facts }) => {
      const home = homeCountry(countries, facts['phoneNumber']);
      const number = readNumber(typed, home);
      if (number === undefined || !phoneNumberPattern.test(number.number)) return { refusal: 'form' };
      if (countries?.some((one) => one === number.country) === false) return { refusal: 'country' };
      const type = number.getType();
      const isAccepted = types.some((one) => typesOf[one].some((accepted) => accepted === type));
      return isAccepted ? { value: number.number } : { refusal: 'type' };
    },
  }),
});

/** Country of a number without a country code; undefined if several are possible. */
function homeCountry(countries: readonly CountryCode[] | undefined, caller = ''): CountryCode | undefined {
  const own = parsePhoneNumberFromString(caller)?.country;
  if (countries === undefined || (own !== undefined && countries.includes(own))) return own;
  return countries.length === 1 ? countries[0] : undefined;
}

/**
 * First valid reading of a text: with `+` or `00` a number with a country code, else one of `home`, else one with a
 * country code.
 */
function readNumber(typed: string, home: CountryCode | undefined): PhoneNumber | undefined {
  const compact = asciiDigits(typed)
    .replaceAll('＋', '+')
    .replaceAll(/[\s().\p{Dash_Punctuation}/]/gu, '');
  if (!/^\+?[0-9]{1,20}$/.test(compact)) return undefined;
  const international = parsePhoneNumberFromString(compact.replace(/^(?:00+|\+)?/, '+'));
  const isMarked = /^(?:\+|00)/.test(compact);
  // Some countries have another exit code, such as 011, which the library supports.
  const national =
    home === undefined || compact.startsWith('+') ? undefined : parsePhoneNumberFromString(compact, home);
  const readings = isMarked ? [international, national] : [national, international];
  return readings.find((number) => number?.isValid() === true);
}
