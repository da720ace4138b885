import { describe, expect, it } from 'vitest';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import { describeRateLimitStore } from './rate-limit-store.contract.js';

let time = 0;
const store = memoryRateLimitStore({ now: () => time });
describeRateLimitStore('the rate limit in memory', {
  store: () => store,
  pass: async (ms) => {
    time += ms;
  },
});

describe('a window in memory', () => {
  it('ends at its last millisecond, not before', async () => {
    let now = 1_000;
    const exact = memoryRateLimitStore({ now: () => now });
    await exact.hit('key', 60_000);
    now += 59_999;
    expect(await exact.hit('key', 60_000)).toEqual({ count: 2, resetMs: 1 });
    now += 1;
    expect(await exact.hit('key', 60_000)).toEqual({ count: 1, resetMs: 60_000 });
  });

  it('is evicted when the store is full, the oldest first', async () => {
    let now = 0;
    const bounded = memoryRateLimitStore({ now: () => now, maxKeys: 1_000 });
    await bounded.hit('early', 60_000);
    for (let index = 0; index < 999; index += 1) await bounded.hit(`key ${index}`, 60_000);
    expect((await bounded.hit('early', 60_000)).count).toBe(2);
    await bounded.hit('one too many', 60_000);
    expect((await bounded.hit('early', 60_000)).count).toBe(1);
    now += 1;
    expect((await bounded.hit('one too many', 60_000)).count).toBe(2);
  });

  it('is not evicted by many shorter ones', async () => {
    const day = 86_400_000;
    const bounded = memoryRateLimitStore({ now: () => 0, maxKeys: 10 });
    await bounded.hit('early', day);
    for (let index = 0; index < 100; index += 1) await bounded.hit(`key ${index}`, 60_000);
    expect((await bounded.hit('early', day)).count).toBe(2);
  });
});
