import { describe, expect, it } from 'vitest';
import { type Key, type Tap, tapLetter } from './multi-tap.js';

function tapped(presses: readonly (readonly [Key, number])[]): string {
  let text = '';
  let last: Tap | undefined;
  for (const [key, atMs] of presses) {
    const tap = { key, atMs };
    text = tapLetter(text, tap, last);
    last = tap;
  }
  return text;
}

describe('letters on a keypad', () => {
  it('select the next letter of a key pressed again within a moment', () => {
    expect(tapped([['2', 0]])).toBe('A');
    expect(
      tapped([
        ['2', 0],
        ['2', 300],
        ['2', 600],
      ]),
    ).toBe('C');
    expect(
      tapped([
        ['2', 0],
        ['2', 300],
        ['2', 600],
        ['2', 900],
        ['2', 1200],
      ]),
    ).toBe('A');
  });

  it('start anew after a pause, and with another key', () => {
    expect(
      tapped([
        ['2', 0],
        ['2', 2000],
      ]),
    ).toBe('Aa');
    expect(
      tapped([
        ['2', 0],
        ['7', 100],
        ['7', 200],
        ['7', 300],
        ['7', 400],
        ['4', 500],
        ['4', 600],
        ['2', 900],
      ]),
    ).toBe('Asha');
  });

  it('start each word with a capital', () => {
    expect(
      tapped([
        ['2', 0],
        ['0', 100],
        ['6', 200],
      ]),
    ).toBe('A M');
  });
});
