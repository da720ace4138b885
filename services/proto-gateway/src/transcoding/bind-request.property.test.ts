import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bind, bound } from '../../test/bind-everything.js';
import { parseQuery } from './bind-query.js';

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

  it('tells a broken escape', () => {
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
});
