import { describe, expect, it } from 'vitest';
import { Seats } from './seats.js';

describe('seats', () => {
  it('are bounded for one user and in all, and free again once released', () => {
    const seats = new Seats({ perUser: 2, total: 3 });
    const first = seats.take('a');
    expect(seats.take('a')).toBeDefined();
    expect(seats.take('a')).toBeUndefined();
    expect(seats.take('b')).toBeDefined();
    expect(seats.take('c')).toBeUndefined();
    first?.release();
    first?.release();
    expect(seats.taken).toBe(2);
    expect(seats.take('a')).toBeDefined();
    expect(seats.take('c')).toBeUndefined();
  });
});
