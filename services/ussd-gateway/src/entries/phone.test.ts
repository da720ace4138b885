import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { phone } from './phone.js';

const callers = { KE: '+254711000001', UG: '+256772000001', CI: '+2250712345678', MZ: '+258841234567' } as const;

function readBy(caller: string, countries?: readonly CountryCode[], types: ('mobile' | 'fixed')[] = ['mobile']) {
  const { read } = phone.make({ countries: countries && [...countries], types });
  return (typed: string) => {
    const answer = read(typed, { facts: { phoneNumber: caller }, held: undefined, language: 'en' });
    return 'value' in answer ? answer.value : answer.refusal;
  };
}

const rows = readFileSync(new URL('typed-phones.fixture.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('|') as [CountryCode, string, string]);
const countries = [...new Set(rows.map(([country]) => country))];

describe('a phone number in the forms that people type', () => {
  it('is tested with 20 numbers of each of 16 countries', () => {
    expect(countries).toHaveLength(16);
    for (const one of countries) expect(rows.filter(([country]) => country === one)).toHaveLength(20);
  });

  it.each(countries)('of %s equals the number that the library reads', (country) => {
    const own = rows.filter(([one]) => one === country);
    const read = readBy(getExampleNumber(country, examples)?.number ?? '', [country]);
    expect(own.map(([, typed]) => [typed, read(typed)])).toEqual(own.map(([, typed, right]) => [typed, right]));
    const accepted = own.filter(([, , right]) => right.startsWith('+'));
    for (const [, , right] of accepted) {
      const known = parsePhoneNumberFromString(right);
      expect([right, known?.isValid(), known?.country]).toEqual([right, true, country]);
      expect(['MOBILE', 'FIXED_LINE_OR_MOBILE']).toContain(known?.getType());
    }
    const refused = own.filter(([, , right]) => right === 'form');
    for (const [, typed] of refused)
      expect(parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false })?.isValid() ?? false).toBe(
        false,
      );
  });

  it.each<[keyof typeof callers, string, string]>([
    ['CI', '0712345678', '+2250712345678'],
    ['KE', '254729351383', '+254729351383'],
    ['KE', '254 729 351 383', '+254729351383'],
    ['KE', '729351383', '+254729351383'],
    ['KE', '＋254 (729) 351–383', '+254729351383'],
    ['KE', '000254729351383', '+254729351383'],
    ['MZ', '841234567', '+258841234567'],
    ['KE', '07293', 'form'],
    ['KE', '', 'form'],
    ['KE', '+', 'form'],
    ['KE', '0729351383 ext 5', 'form'],
    ['KE', '+254729351383+254729351383', 'form'],
    ['KE', '0900 223456', 'type'],
    ['KE', '020 2012345', 'type'],
    ['KE', '+250 788 123 456', '+250788123456'],
  ])('in %s, %j is %s', (caller, typed, right) => expect(readBy(callers[caller])(typed)).toBe(right));
});

describe('a number without a country code', () => {
  const inEastAfrica = (caller: string) => readBy(caller, ['KE', 'UG']);

  it('belongs to the country of the caller', () => {
    expect(inEastAfrica(callers.KE)('0772123456')).toBe('+254772123456');
    expect(inEastAfrica(callers.UG)('0772123456')).toBe('+256772123456');
  });

  it('is refused if several countries are listed without that of the caller', () =>
    expect(inEastAfrica(callers.CI)('0772123456')).toBe('form'));

  it('belongs to the only country listed, for any caller', () =>
    expect(readBy(callers.CI, ['KE'])('0772123456')).toBe('+254772123456'));

  it('may have the code of another listed country, also without +', () => {
    expect(inEastAfrica(callers.KE)('256772123456')).toBe('+256772123456');
    expect(inEastAfrica(callers.KE)('255621234567')).toBe('country');
  });
});

describe('the settings of a phone entry', () => {
  const settings = z.strictObject(phone.settings);
  it('are mobile numbers of every country by default', () => expect(settings.parse({})).toEqual({ types: ['mobile'] }));
  it.each([
    [{ countries: [] }],
    [{ countries: ['ke'] }],
    [{ countries: ['254'] }],
    [{ countries: ['XX'] }],
    [{ country: '254' }],
    [{ types: ['premium'] }],
  ])('%j are refused', (wrong) => expect(settings.safeParse(wrong).success).toBe(false));

  it('accept landlines if `types` lists them, and never premium rates', () => {
    const read = readBy(callers.KE, ['KE'], ['mobile', 'fixed']);
    expect([read('020 2012345'), read('0729351383'), read('0900 223456')]).toEqual([
      '+254202012345',
      '+254729351383',
      'type',
    ]);
  });
});

it('no number that the library calls invalid is ever accepted', () => {
  const read = readBy(callers.KE, undefined, ['mobile', 'fixed']);
  fc.assert(
    fc.property(fc.stringMatching(/^[+]?[0-9 ]{3,18}$/), (typed) => {
      const value = read(typed);
      if (value.startsWith('+')) expect(parsePhoneNumberFromString(value)?.isValid()).toBe(true);
    }),
    { numRuns: 500 },
  );
});
