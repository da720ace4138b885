import { describe, expect, it } from 'vitest';
import { endOfFailed, endOfPending } from './retry.js';

const dayMs = 24 * 3_600_000;

describe('an effect without an outcome', () => {
  it('is called again after pauses that double up to five minutes', () => {
    const pauses = [1, 2, 3, 9, 10, 100].map((tries) => endOfFailed({ tries, ageMs: 0 }).pauseMs);
    expect(pauses).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000]);
  });

  it('is polled after five seconds, or after the time that its answer names', () => {
    const attempt = { tries: 1, ageMs: 0 };
    expect(endOfPending(attempt, { pending: true })).toEqual({ event: 'postponed', pauseMs: 5000 });
    expect(endOfPending(attempt, { pending: true, retryInMs: 60_000 })).toEqual({
      event: 'postponed',
      pauseMs: 60_000,
    });
  });

  it('is abandoned after a day', () => {
    expect(endOfFailed({ tries: 3, ageMs: dayMs }).event).toBe('failed');
    for (const end of [
      endOfFailed({ tries: 3, ageMs: dayMs + 1 }),
      endOfPending({ tries: 3, ageMs: dayMs + 1 }, { pending: true }),
    ])
      expect(end).toEqual({ event: 'gaveUp', pauseMs: 0 });
  });
});
