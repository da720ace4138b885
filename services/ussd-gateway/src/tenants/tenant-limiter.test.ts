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

describe('the gate of a service', () => {
  it('lets in so many hops a second, no more at once after a pause, and the next as time goes by', () => {
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

  it('lets in so many hops at one time, and the next once one is out', () => {
    const { gate } = open();
    const enter = () => gate.enter({ ...limits, atOnce: 2 });
    const [first] = [enter(), enter()];
    expect(enter).toThrow('Too many requests');
    first?.();
    const third = enter();
    expect(enter).toThrow('Too many requests');
    third();
  });

  it('lets so many sessions live, and others begin once some are over', async () => {
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
