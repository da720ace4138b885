import { describe, expect, it } from 'vitest';
import { settled } from './settled.js';

const figures = (...all: number[]) => {
  const left = all.values();
  return async () => left.next().value ?? 1;
};
const itself = (figure: number) => figure;

describe('rounds', () => {
  it('go on until three in a row agree, of which the middle one counts', async () => {
    expect(await settled(figures(900, 300, 100, 104, 98), itself)).toEqual({ round: 100, isSettled: true });
  });

  it('end after eight that do not agree, and say so', async () => {
    expect(await settled(figures(1, 2, 4, 8, 16, 32, 64, 128, 128, 128), itself)).toEqual({
      round: 64,
      isSettled: false,
    });
  });
});
