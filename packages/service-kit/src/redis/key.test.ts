import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { key } from './key.js';

describe('key', () => {
  it('puts the tag in braces, where a cluster looks for it', () => {
    expect(key('ussd-gateway', 'session', 'abc', 7)).toBe('ussd-gateway:{session}:abc:7');
  });

  it('gives different keys for different parts, and one pair of braces, for any text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const parts = fc.tuple(
      text.filter((tag) => tag !== ''),
      fc.array(text, { maxLength: 4 }),
    );
    fc.assert(
      fc.property(parts, parts, ([tag, rest], [otherTag, otherRest]) => {
        const one = key('service', tag, ...rest);
        expect(one.match(/[{}]/g)).toEqual(['{', '}']);
        const isSame = JSON.stringify([tag, rest]) === JSON.stringify([otherTag, otherRest]);
        expect(one === key('service', otherTag, ...otherRest)).toBe(isSame);
      }),
    );
  });

  it('refuses an invalid key', () => {
    expect(() => key('Service', 'tag')).toThrow(/service name/);
    expect(() => key('service', '')).toThrow(/tag/);
    expect(() => key('service', '\ud800')).toThrow(/Unicode/);
    expect(() => key('service', 'x'.repeat(1_024))).toThrow(/1024/);
  });
});
