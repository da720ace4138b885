import { describe, expect, it } from 'vitest';
import { KeepalivePace } from './keepalive.js';

const MINUTE = 60_000;
const base = { afterMs: 30_000, timeoutMs: 15_000 };

describe('the interval of pings', () => {
  it('doubles with each refusal, up to ten minutes', () => {
    const pace = new KeepalivePace(base);
    const after = () => pace.times(0).afterMs;
    const seen = Array.from({ length: 6 }, () => {
      pace.refuse(0);
      return after();
    });
    expect(seen).toEqual([60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
    for (let count = 0; count < 2000; count += 1) pace.refuse(0);
    expect(pace.times(0)).toEqual({ afterMs: 10 * MINUTE, timeoutMs: 15_000 });
  });

  it('is reset after a period without refusals', () => {
    const pace = new KeepalivePace(base);
    for (let count = 0; count < 100; count += 1) pace.refuse(0);
    expect([10, 20, 30, 40, 50, 1000].map((minutes) => pace.times(minutes * MINUTE).afterMs)).toEqual([
      480_000, 240_000, 120_000, 60_000, 30_000, 30_000,
    ]);
    pace.refuse(1000 * MINUTE);
    expect(pace.times(1000 * MINUTE).afterMs).toBe(60_000);
  });

  it('is the configured one if that is longer', () => {
    const pace = new KeepalivePace({ afterMs: 20 * MINUTE, timeoutMs: 1 });
    pace.refuse(0);
    expect(pace.times(0).afterMs).toBe(20 * MINUTE);
  });
});
