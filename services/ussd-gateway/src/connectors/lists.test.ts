import { describe, expect, it } from 'vitest';
import { mostListChars } from '../engine/declarations.js';
import { listOf, listSettings, readList } from './lists.js';

const bills = listOf(
  'bills',
  listSettings.parse({
    most: '3',
    items: {
      name: '12',
      amount: { as: 'amount', longest: '9' },
      reference: { as: 'id', longest: '8' },
      state: { of: ['due', 'overdue'] },
    },
  }),
);
const water = { name: 'Water', amount: '250', reference: 'W-1', state: 'due' };
const read = (sent: unknown) => readList(sent, bills);
const first = (change: object) => {
  const found = read([{ ...water, ...change }]);
  return 'why' in found ? found.why : found.items[0];
};

describe('a list of a back end', () => {
  it('has the declared fields of each item, in the order sent, duplicates included', () => {
    const sent = [{ ...water, owner: { deep: 1 } }, water, { ...water, reference: 'W-2' }];
    expect(read(sent)).toEqual({ items: [water, water, { ...water, reference: 'W-2' }], surplus: 0 });
  });

  it('is cut to the declared number of items, with the number of items left out', () => {
    expect(read([water, null, water, water, water, water])).toEqual({ items: [water, water, water], surplus: 2 });
    expect(read([])).toEqual({ items: [], surplus: 0 });
  });

  it.each<[field: string, sent: unknown, value: string]>([
    ['name', undefined, '-'],
    ['name', null, '-'],
    ['name', '', '-'],
    ['name', ' \u0007 ', '-'],
    ['name', 'A\n2. Pay\u2028all', 'A 2. Pay all'],
    ['name', 'a very long name', 'a very lo...'],
    ['name', '{phoneNumber}', '{phoneNum...'],
    ['name', '𞤀'.repeat(9), `${'𞤀'.repeat(4)}...`],
    ['name', 17, '17'],
    ['amount', 250.5, '250.5'],
    ['amount', '0.50', '0.50'],
    ['amount', 0, '0'],
    ['reference', 10423, '10423'],
    ['reference', 'É/1 {a}', 'É/1 {a}'],
    ['state', 'overdue', 'overdue'],
  ])('has %s of %j as %j', (field, sent, value) =>
    expect(first({ [field]: sent })).toEqual({ ...water, [field]: value }),
  );

  it.each<[field: string, sent: unknown, what: string]>([
    ['name', { text: 'Water' }, 'text of at most 12 characters'],
    ['name', ['Water'], 'text of at most 12 characters'],
    ['name', true, 'text of at most 12 characters'],
    ...[undefined, null, '', '-', 'a', '1,000', '-5', '007', '1e3', ' 5', '5.', '1234567890', 1e21, {}].map(
      (sent): [string, unknown, string] => ['amount', sent, 'amount of at most 9 characters'],
    ),
    ...[undefined, null, '', 'W-1\n', ' W-1', 'W  1', '123456789', 1e-7, []].map((sent): [string, unknown, string] => [
      'reference',
      sent,
      'id of at most 8 characters',
    ]),
    ...[undefined, 'paid', 'Due', 'constructor'].map((sent): [string, unknown, string] => [
      'state',
      sent,
      'word of due, overdue',
    ]),
  ])('is unusable with %s of %j, and the reason names the field without its value', (field, sent, what) => {
    expect(first({ [field]: sent })).toBe(`has no ${what} in "${field}" of item 1 of "bills"`);
  });

  it('refuses a number that JSON may have rounded', () => {
    const long = listOf('long', listSettings.parse({ most: '1', items: { id: { as: 'id', longest: '20' } } }));
    const idOf = (json: string) => readList(JSON.parse(`[{"id":${json}}]`), long);
    expect(idOf('123456789012345')).toEqual({ items: [{ id: '123456789012345' }], surplus: 0 });
    for (const json of ['1234567890123456', '9007199254740993', '0.12345678901234567', '1e30'])
      expect(idOf(json)).toHaveProperty('why');
  });

  it.each([undefined, null, {}, 'none', 3])('is no list if it is %j', (sent) =>
    expect(read(sent)).toEqual({ why: 'has no list in "bills"' }),
  );

  it.each([['x'], [[]], [7]])('skips the item in %j', (item) =>
    expect(read([null, item])).toEqual({ why: 'has no object as item 2 of "bills"' }),
  );

  it('reads no field from the prototype of an item', () => {
    const inherited = listOf('odd', listSettings.parse({ most: '1', items: { toString: '9', constructor: '9' } }));
    expect(readList([{}], inherited)).toEqual({ items: [{ toString: '-', constructor: '-' }], surplus: 0 });
  });

  it('fits into a session, for any response', () => {
    const full = listOf('full', listSettings.parse({ most: '50', items: { text: '80' } }));
    const sent = Array.from({ length: 5000 }, () => ({ text: '𞤀'.repeat(5000) }));
    const found = readList(sent, full);
    const chars = 'items' in found ? found.items.map(({ text = '' }) => text).join('').length : undefined;
    expect(chars).toBeLessThanOrEqual(mostListChars);
  });
});
