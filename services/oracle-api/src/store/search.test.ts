import { expect, it } from 'vitest';
import { snippetOf } from './search.js';

const numbers = Array.from({ length: 200 }, (_, at) => `w${at}`);

it.each([
  ['shows the words around the first hit', numbers.join(' '), ['w100'], /^w95 .* w100 .* w134$/],
  ['shows the beginning where no word fits', numbers.join('\n'), ['none'], /^w0 w1 .* w39$/],
  ['finds a word in quotes and upper case', 'he said “Karibu sana”', ['karibu'], /^he said “Karibu sana”$/],
  ['cuts a long word', 'x'.repeat(1_000), ['x'], /^x{60}$/],
  ['of nothing is nothing', ' \n ', ['x'], /^$/],
])('a snippet %s', (_what, text, words, expected) => {
  expect(snippetOf(text, words)).toMatch(expected);
});
