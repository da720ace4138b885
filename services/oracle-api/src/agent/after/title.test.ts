import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleFrom } from './title.js';

describe('the title of a session', () => {
  it('is the first line of its first message', () => {
    expect(titleFrom('  Plant trees \n and more')).toBe('Plant trees');
    expect(titleFrom('\n\n hello')).toBe('hello');
    expect(titleFrom(' \n\t ')).toBeUndefined();
  });

  it('is cut at a word', () => {
    expect(titleFrom(`${'word '.repeat(30)}`)).toBe('word word word word word word word word word word word word…');
    expect(titleFrom('x'.repeat(100))).toBe(`${'x'.repeat(60)}…`);
  });

  it('is one short line without control characters, whatever the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        const title = titleFrom(message);
        if (title === undefined) return;
        expect([...title].length).toBeLessThanOrEqual(61);
        expect(title).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u);
      }),
    );
  });
});
