import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bind, bound } from '../../test/bind-everything.js';
import { parseQuery } from './query.js';

describe('any query', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'names',
      'leaf.label',
      'by_name[a]',
      'int32_value',
      'at',
      'chosen_text',
      '__proto__',
      'constructor',
      'leaf.__proto__.x',
      'a[',
      '[]',
    ),
    fc.string({ maxLength: 12 }),
  );
  it('never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ maxLength: 12 })), { maxLength: 8 }), (pairs) => {
        const query = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
        const result = bind({ query });
        expect('bytes' in result || 'violations' in result).toBe(true);
      }),
    );
  });

  it('binds text exactly as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.maxSafeInteger(), (text, number) => {
        const query = `string_value=${encodeURIComponent(text)}&int64_value=${number}`;
        expect(bound({ query })).toEqual({
          ...(text === '' ? {} : { string_value: text }),
          ...(number === 0 ? {} : { int64_value: String(number) }),
        });
      }),
    );
  });

  it('reports a malformed escape', () => {
    expect(parseQuery('a=%2')).toEqual({
      violations: [{ field: 'a', description: 'has an escape that is cut short or is not UTF-8' }],
    });
    expect(parseQuery('%ff=1')).toHaveProperty('violations');
    expect(parseQuery('&&a&b=&=c')).toEqual({
      pairs: [
        ['a', ''],
        ['b', ''],
        ['', 'c'],
      ],
    });
  });

  it('gives the same bytes as the same values in JSON', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    const text = fc.string({ unit: 'grapheme', maxLength: 8 });
    const leaf = fc.record({
      label: text,
      counts: fc.array(int64, { maxLength: 3 }),
      colour: fc.constantFrom(0, 1, 5),
    });
    const values = fc.record(
      {
        int64_value: int64,
        uint32_value: fc.nat(),
        sint64_value: int64,
        double_value: fc.double({ noNaN: true, noDefaultInfinity: true }),
        bool_value: fc.boolean(),
        string_value: text,
        bytes_value: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        colour: fc.constantFrom('COLOUR_RED', 'COLOUR_BLUE'),
        names: fc.array(text, { maxLength: 3 }),
        leaf,
        tree: fc.record({ id: text, parent: fc.record({ id: text, parent: fc.record({ id: text }) }) }),
        chosen_leaf: leaf,
        perhaps: fc.integer({ min: -100, max: 100 }),
        maybe_long: int64,
        at: fc.constantFrom('2021-01-01T02:00:00Z', '1969-12-31T23:59:59.5Z'),
        by_name: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.nat(), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (json) => {
        const query = spell(json).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
        expect(bound({ query: query.join('&') })).toEqual(
          bound({ rule: '*', body: JSON.stringify(withoutEmpty(json)) }),
        );
      }),
    );
  });
});

/** The parameters for a JSON value, maps with their keys in brackets. */
function spell(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => spell(item, name));
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (name === 'by_name') return spell(inner, `${name}[${key}]`);
    return spell(inner, name === '' ? key : `${name}.${key}`);
  });
}

/** A query string cannot express an empty message. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const nonEmpty = Object.entries(value).filter(([, inner]) => spell(inner).length > 0);
  return Object.fromEntries(nonEmpty.map(([key, inner]) => [key, withoutEmpty(inner)]));
}
