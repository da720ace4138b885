import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsMessage } from '../../engine/pages/message-limits.js';
import { longestAnswers, phoneText } from './phone-text.js';

describe('an answer on a phone', () => {
  it.each([
    ['**Bold**, *thin* and _thin_, `code`, ~~gone~~.', 'Bold, thin and thin, code, gone.'],
    ['# Title\n\nText\n', 'Title Text'],
    ['- one\n- two\n* three', '- one - two - three'],
    ['See [the page](https://a.example/b) ![a door](x.png)', 'See the page a door'],
    ['```ts\nlet a = 1;\n```', 'let a = 1;'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '| a | b | | 1 | 2 |'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['“It’s” — so… • yes', '"It\'s" - so... - yes'],
    ['a\u0000b\u202ec\u2028d', 'a b c d'],
  ])('reads %j as %j', (markdown, text) => expect(phoneText(markdown)).toBe(text));

  it('is never longer than the limit, in any alphabet, and is one line', () => {
    const [septets = '', , ucs2 = ''] = longestAnswers;
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 900 }),
      fc.stringMatching(/^[a-z*_`[\]()#\n -]{0,900}$/),
    );
    fc.assert(
      fc.property(word, (answer) => {
        const text = phoneText(answer);
        expect(text).not.toMatch(/[\n\r]/);
        const isPlain = fitsMessage(text, { septets: 2 * septets.length, ucs2Units: -1 });
        if (!isPlain) expect(text.length).toBeLessThanOrEqual(ucs2.length);
      }),
    );
  });

  it('takes linear time for any text', () => {
    for (const trick of ['*'.repeat(50_000), '[a]('.repeat(20_000), '_a '.repeat(20_000), '`'.repeat(50_000)])
      phoneText(trick);
  });
});
