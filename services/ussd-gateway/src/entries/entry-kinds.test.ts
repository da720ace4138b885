import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsMessage, networkLimits } from '../engine/pages/message-limits.js';
import { amount } from './amount.js';
import { code, customerId, digits } from './code.js';
import { entryKinds } from './entry-kinds.js';
import { newPin } from './new-pin.js';
import { phone } from './phone.js';
import { pin, pinOrCode, samePin } from './pin.js';
import { text } from './text.js';

const nobody = { facts: { phoneNumber: '+254711000001' }, held: undefined, language: 'en' };
const shillings = amount.make({ min: 10, max: 70_000, decimals: 2 });
const kinds = {
  'a sum with cents': shillings,
  'a whole sum': amount.make({ min: 0, max: 500, decimals: 0 }),
  'a reference': code.make({ min: 2, max: 8, case: 'upper' }),
  'a reference in small letters': code.make({ min: 2, max: 8, case: 'lower' }),
  'a meter': digits.make({ min: 4, max: 6 }),
  'a number of Kenya': phone.make({ countries: ['KE'], types: ['mobile'] }),
  'any number': phone.make({ countries: undefined, types: ['mobile'] }),
  'a note': text.make({ min: 1, max: 5 }),
};

describe('a typed text', () => {
  it.each<[keyof typeof kinds, string, string]>([
    ['a sum with cents', '250', '250.00'],
    ['a sum with cents', '0010.5', '10.50'],
    ['a sum with cents', '70000.00', '70000.00'],
    ['a sum with cents', '1,000', '1000.00'],
    ['a sum with cents', '٢٥٠٫٥', '250.50'],
    ['a sum with cents', '२,५००.75', '2500.75'],
    ['a meter', '๐๐๔๒', '0042'],
    ['a reference', 'ab١٢', 'AB12'],
    ['a whole sum', '0', '0'],
    ['a whole sum', '000500', '500'],
    ['a reference', 'ab12', 'AB12'],
    ['a reference in small letters', 'AB12', 'ab12'],
    ['a meter', '0042', '0042'],
    ['a number of Kenya', '0711000001', '+254711000001'],
    ['any number', '00254711000001', '+254711000001'],
    ['a note', 'a  b', 'a b'],
    ['a note', '٣', '٣'],
    ['a note', '𞤀𞤀𞤀𞤀𞤀', '𞤀𞤀𞤀𞤀𞤀'],
  ])('as %s is %j, stored as %j', (kind, typed, value) => expect(kinds[kind].read(typed, nobody)).toEqual({ value }));

  it.each<[keyof typeof kinds, string, string]>([
    ['a sum with cents', '9.99', 'low'],
    ['a sum with cents', '70000.01', 'high'],
    ['a sum with cents', '999999999999999999', 'high'],
    ['a sum with cents', '9999999999999999999', 'form'],
    ['a sum with cents', '10.555', 'form'],
    ['a sum with cents', '-10', 'form'],
    ['a whole sum', '1.5', 'form'],
    ['a whole sum', '501', 'high'],
    ['a reference', 'a', 'form'],
    ['a reference', 'AÉ12', 'form'],
    ['a meter', '42', 'form'],
    ['a number of Kenya', '+260 97-123 0567', 'country'],
    ['a number of Kenya', '0', 'form'],
    ['a note', 'abcdef', 'length'],
    ['a note', '', 'length'],
  ])('as %s is not %j: %s', (kind, typed, refusal) => expect(kinds[kind].read(typed, nobody)).toEqual({ refusal }));

  it.each<[string, string, string]>([
    ['en', '1,000', '1000.00'],
    ['en', '1,000.50', '1000.50'],
    ['en', '12 345.5', '12345.50'],
    ['en', '10,50', 'form'],
    ['en', '1,0000', 'form'],
    ['en', '1,000,00', 'form'],
    ['en', '1,000 000', 'form'],
    ['en', ',500', 'form'],
    ['sw', '1,000', '1000.00'],
    ['fr', '10,50', '10.50'],
    ['fr', '10.50', '10.50'],
    ['fr', '1 000,5', '1000.50'],
    ['fr', '1\u202f000', '1000.00'],
    ['fr', '1\u00a0000', '1000.00'],
    ['fr', '1,000', 'form'],
    ['fr', '1.000', 'form'],
    ['pt', '1.000,50', '1000.50'],
    ['pt', '1.000', '1000.00'],
    ['pt', '10,50', '10.50'],
    ['pt', '10.50', 'form'],
    ['ar', '١٬٠٠٠٫٥٠', '1000.50'],
    ['hi', '10,000.5', '10000.50'],
    ['hi', '१०,०००', '10000.00'],
    ['tn', "1'000.5", '1000.50'],
    ['zxx', '1,000', '1000.00'],
  ])('as an amount follows the language: in %s, %j is %s', (language, typed, right) => {
    const read = shillings.read(typed, { ...nobody, language });
    expect('value' in read ? read.value : read.refusal).toBe(right);
  });

  it('as a PIN is the same in the digits of every script', () => {
    const arabic = '٤٨٢٩١';
    const known = { ...nobody, held: '48291' };
    for (const { make } of [pin, pinOrCode, newPin, samePin])
      expect(make({}).read(arabic, known)).toEqual({ value: '48291' });
    expect(newPin.make({}).read('١٢٣٤٥', nobody)).toEqual({ refusal: 'run' });
    expect(newPin.make({}).read('٠٠٠٠١', nobody)).toEqual({ refusal: 'phone' });
    expect(customerId.make({}).read('c٧k٢m٩pq٤', nobody)).toEqual({ value: 'C7K2M9PQ4' });
  });

  it.each(Object.entries(kinds))('as %s is never longer than the declared longest value', (_, { read, longest }) => {
    const needs = (value: string) => (/^[\x20-\x7e]*$/.test(value) ? 'septets' : 'ucs2');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9+. ]{0,20}$/)), (typed) => {
        const taken = read(typed, nobody);
        if (!('value' in taken) || taken.value === undefined) return;
        const { value } = taken;
        const most = longest.filter((one) => needs(one) === needs(value)).map(({ length }) => length);
        expect(value.length).toBeLessThanOrEqual(Math.max(...most));
      }),
    );
  });

  it('is refused only for the reasons that its kind declares', () => {
    const settings = { min: 1, max: 5, decimals: 0, case: 'upper', countries: ['KE'], types: ['mobile'] } as const;
    for (const { make, refusals } of Object.values(entryKinds)) {
      const { read } = make(settings as never);
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (typed) => {
          const taken = read(typed, { ...nobody, held: '48291' });
          if ('refusal' in taken) expect(refusals).toContain(taken.refusal);
        }),
        { numRuns: 50 },
      );
    }
    expect(fitsMessage(shillings.longest.join(), networkLimits)).toBe(true);
  });
});
