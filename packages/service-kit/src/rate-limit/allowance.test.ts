import { describe, expect, it } from 'vitest';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import { allowance } from './rate-limit-store.js';

describe('an allowance', () => {
  let now = 0;
  const store = memoryRateLimitStore({ now: () => now });

  it('is one amount per holder, and notifies when it is available again', async () => {
    const visits = allowance({ store, name: 'visits', max: 2, windowMs: 60_000 });
    expect([await visits.take('a'), await visits.take('a')]).toEqual([{ ok: true }, { ok: true }]);
    now = 1_500;
    expect(await visits.take('a')).toEqual({ ok: false, retryAfterSeconds: 59 });
    expect(await visits.take('b', 3)).toEqual({ ok: false, retryAfterSeconds: 60 });
    now = 60_000;
    expect(await visits.take('a')).toEqual({ ok: true });
  });

  it('is independent of another one of the same store', async () => {
    const one = allowance({ store, name: 'one', max: 1, windowMs: 60_000 });
    const other = allowance({ store, name: 'other', max: 1, windowMs: 60_000 });
    await one.take('a');
    expect((await other.take('a')).ok).toBe(true);
    expect((await one.take('a')).ok).toBe(false);
  });
});
