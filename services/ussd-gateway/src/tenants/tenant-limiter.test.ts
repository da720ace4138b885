import { describe, expect, it } from 'vitest';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { anyRecord } from '../sessions/session-store.fixture.js';
import { TenantLimiter } from './tenant-limiter.js';

const limits = { hopsPerMinute: undefined, hopsPerSecond: 1000, atOnce: 1000, sessions: 1000 };

function open() {
  let now = 0;
  const store = new MemorySessionStore({ clock: () => now });
  return { gate: new TenantLimiter('default', store, () => now), store, pass: (ms: number) => (now += ms) };
}

describe('the limiter of a tenant', () => {
  it('admits a number of hops per second, and no more at once after a pause', () => {
    const { gate, pass } = open();
    const hop = () => gate.enter({ ...limits, hopsPerSecond: 4 })();
    for (let count = 0; count < 4; count++) hop();
    expect(hop).toThrow('Too many requests');
    pass(250);
    hop();
    expect(hop).toThrow('Too many requests');
    pass(60_000);
    for (let count = 0; count < 4; count++) hop();
    expect(hop).toThrow('Too many requests');
  });

  it('admits a number of concurrent hops, and the next after one has ended', () => {
    const { gate } = open();
    const enter = () => gate.enter({ ...limits, atOnce: 2 });
    const [first] = [enter(), enter()];
    expect(enter).toThrow('Too many requests');
    first?.();
    const third = enter();
    expect(enter).toThrow('Too many requests');
    third();
  });

  it('admits a number of live sessions, and further ones after some have ended', async () => {
    const { gate, store, pass } = open();
    const begin = async (ttlMs: number) => {
      gate.begin({ ...limits, sessions: 2 });
      const record = anyRecord();
      const hold = await store.hold(record, 1000);
      if (hold.kind === 'held') await store.save(hold.lock, record, ttlMs);
    };
    await begin(10_000);
    await begin(10_000);
    await expect(begin(1)).rejects.toThrow('Too many requests');
    pass(20_000);
    // The first session starts the count; the next one uses it.
    await expect(begin(10_000)).rejects.toThrow('Too many requests');
    await begin(10_000);
  });
});
