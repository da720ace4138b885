import { beforeEach, describe, expect, it } from 'vitest';
import { memoryRateLimitStore } from './memory-rate-limit-store.js';
import { describeRateLimitStore } from './rate-limit-store.contract.js';
import type { RateLimitStore } from './rate-limit-store.js';
import { hitsTogether } from './redis-rate-limit-store.js';

const minute = 60_000;
let now = 0;
const atEndOfTurn = (work: () => void) => void setImmediate(work);

const counted = hitsTogether(memoryRateLimitStore({ now: () => now }), atEndOfTurn);
describeRateLimitStore('hits that are counted together', {
  store: () => counted,
  pass: async (ms) => {
    now += ms;
  },
});

describe('hits of one turn', () => {
  const requested: [key: string, windowMs: number, cost: number | undefined][] = [];
  const inner = memoryRateLimitStore();
  const store: RateLimitStore = {
    hit: (...hit) => {
      requested.push([hit[0], hit[1], hit[2]]);
      return inner.hit(...hit);
    },
    forget: inner.forget,
  };
  beforeEach(() => {
    requested.length = 0;
  });

  it('are one per key, and each returns its own count in order', async () => {
    const together = hitsTogether(store, atEndOfTurn);
    const hits = [together.hit('a', minute), together.hit('b', minute), together.hit('a', minute, 5)];
    const [first, other, second] = await Promise.all([...hits, together.hit('a', minute)]);
    expect([first?.count, second?.count, (await hits[2])?.count, other?.count]).toEqual([1, 6, 6, 1]);
    expect(requested).toEqual([
      ['a', minute, 7],
      ['b', minute, 1],
    ]);
    expect((await together.hit('a', minute)).count).toBe(8);
  });

  it('are counted before a reset of the window in the same turn, and after it if they come later', async () => {
    const together = hitsTogether(store, atEndOfTurn);
    const before = together.hit('c', minute);
    const forgotten = together.forget('c', minute);
    const after = together.hit('c', minute);
    await forgotten;
    expect([(await before).count, (await after).count]).toEqual([1, 1]);
  });

  it('all fail with a store that cannot count', async () => {
    const unavailable = { ...store, hit: async () => Promise.reject(new Error('away')) };
    const together = hitsTogether(unavailable, atEndOfTurn);
    const reported = await Promise.allSettled([together.hit('d', minute), together.hit('d', minute)]);
    expect(reported.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
