import { describe, expect, it } from 'vitest';
import { eightDigits } from './random-codes.js';

const bytesOf = (...numbers: number[]) => {
  const queue = [...numbers];
  return () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(queue.shift() ?? 0);
    return bytes;
  };
};

describe('a one-time code', () => {
  it('is any number of eight digits, including leading zeros', () => {
    expect(eightDigits(bytesOf(0))).toBe('00000000');
    expect(eightDigits(bytesOf(1_234_567))).toBe('01234567');
    expect(eightDigits(bytesOf(4_199_999_999))).toBe('99999999');
  });

  it('is drawn again if it would be biased', () => {
    expect(eightDigits(bytesOf(4_200_000_000, 2 ** 32 - 1, 7))).toBe('00000007');
  });
});
