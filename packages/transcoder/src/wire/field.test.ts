import { describe, expect, it } from 'vitest';
import { lastBytesOf } from './field.js';

describe('the bytes of a field', () => {
  // Fields 1 to 3: a number, two of bytes, a group with another number 2 in it.
  const message = Uint8Array.of(0x08, 0x96, 0x01, 0x12, 1, 7, 0x1b, 0x12, 1, 9, 0x1c, 0x12, 2, 8, 8);

  it('are the last of several, and none inside another field', () => {
    expect([...(lastBytesOf(message, 2) ?? [])]).toEqual([8, 8]);
    expect([...(lastBytesOf(message.subarray(0, 11), 2) ?? [])]).toEqual([7]);
  });

  it('are absent if the field is absent or of another type', () => {
    expect([lastBytesOf(message, 4), lastBytesOf(message, 1), lastBytesOf(new Uint8Array(), 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([1, 2, 4, 5, 7, 10, 12, 14])('are not searched in a message that is truncated after %i bytes', (length) => {
    expect(() => lastBytesOf(message.subarray(0, length), 2)).toThrow(/cut short|group|no known form|tag/);
  });
});
