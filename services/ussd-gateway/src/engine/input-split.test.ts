import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from './find-new-input.js';

const inputsOf = (text: string) => splitText(text).map(({ input }) => input);

describe('the inputs of an accumulated text', () => {
  it.each([
    ['', []],
    ['1', ['1']],
    ['1*2', ['1', '2']],
    ['1*', ['1', '']],
    ['*', ['*']],
    ['1**', ['1', '*']],
    ['1**2', ['1', '', '2']],
    ['**', ['*']],
    ['*1', ['', '1']],
  ])('%j are %j', (text, inputs) => expect(inputsOf(text)).toEqual(inputs));

  it('each have the offset of their end', () => {
    expect(splitText('1*23*').map(({ end }) => end)).toEqual([1, 4, 5]);
    expect(splitText('12**').map(({ end }) => end)).toEqual([2, 4]);
  });

  it('cover the whole text for any input', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('1', '*', '98', 'é', '😀')).map((parts) => parts.join('')),
        (text) => {
          const ends = splitText(text).map(({ end }) => end);
          expect(ends.at(-1) ?? 0).toBe(text.length);
          expect(ends.toSorted((a, b) => a - b)).toEqual(ends);
        },
      ),
    );
  });
});
