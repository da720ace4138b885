import { expect, it } from 'vitest';
import { nearest } from './nearest.js';

const words = ['phone', 'chat', 'chain', 'account'];

it.each([
  ['chian', 'chain'],
  ['Chat', 'chat'],
  ['fone', 'phone'],
  ['acount', 'account'],
  ['cat', 'chat'],
  ['wallet', undefined],
  ['', undefined],
])('%j suggests %j', (written, meant) => {
  expect(nearest(written, words)).toBe(meant);
});
