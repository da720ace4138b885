import { describe, expect, it } from 'vitest';
import { covers } from './positions.js';

describe('a part of a history', () => {
  it('includes both of its ends, and the newest position only without an upper end', () => {
    const closed = { from: 5n, to: 9n };
    expect([4n, 5n, 9n, 10n].map((position) => covers(closed, position))).toEqual([false, true, true, false]);
    expect(covers(closed, undefined)).toBe(false);
    expect(covers({ from: 5n, to: undefined }, undefined)).toBe(true);
    expect(covers({ from: undefined, to: 9n }, 1n)).toBe(true);
  });
});
