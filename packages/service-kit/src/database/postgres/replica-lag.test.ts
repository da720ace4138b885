import { describe, expect, it } from 'vitest';
import { ReplicaLag } from './replica-watch.js';

describe('the lag of a replica', () => {
  it("is unknown until a poll finds it at the primary's position", () => {
    const lag = new ReplicaLag();
    expect(lag.lagMs(0)).toBeUndefined();
    lag.take({ atMs: 1_000, written: 10n, replayed: 5n });
    expect(lag.lagMs(1_000)).toBeUndefined();
    lag.take({ atMs: 2_000, written: 20n, replayed: 10n });
    expect(lag.lagMs(2_000)).toBe(1_000);
  });

  it('is zero for an idle primary', () => {
    const lag = new ReplicaLag();
    for (const atMs of [0, 1_000, 2_000]) lag.take({ atMs, written: 7n, replayed: 7n });
    expect(lag.lagMs(2_000)).toBe(0);
  });

  it('grows while the replica stands still, also without polls', () => {
    const lag = new ReplicaLag();
    lag.take({ atMs: 0, written: 7n, replayed: 7n });
    for (const second of [1, 2, 3]) lag.take({ atMs: second * 1_000, written: 7n + BigInt(second), replayed: 7n });
    expect(lag.lagMs(3_000)).toBe(3_000);
    expect(lag.lagMs(9_000)).toBe(9_000);
    lag.take({ atMs: 10_000, written: 20n, replayed: 9n });
    expect(lag.lagMs(10_000)).toBe(8_000);
  });
});
