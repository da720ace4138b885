import { describe, expect, it } from 'vitest';
import type { HopOutcome } from './hop-metrics.js';
import { hopReadiness, RecentHops } from './recent-hops.js';

function openAt(startMs = 0) {
  let nowMs = startMs;
  const recent = new RecentHops({ windowSeconds: 60, floor: 20, now: () => nowMs });
  const see = (outcome: HopOutcome, times: number) => {
    for (let time = 0; time < times; time++) recent.record(outcome);
  };
  return { recent, see, pass: (ms: number) => (nowMs += ms) };
}

describe('the recent hops', () => {
  it('give no verdict while they are few', async () => {
    const { recent, see } = openAt();
    see('unavailable', 19);
    expect([recent.unanswered, recent.isServingNone]).toEqual([undefined, false]);
    see('unavailable', 1);
    expect([recent.unanswered, recent.isServingNone]).toEqual([1, true]);
    expect(await hopReadiness(recent).check()).toMatchObject({ ready: false });
  });

  it.each(['unavailable', 'deadline'] as const)('that all end as %s make the process not ready', (outcome) => {
    const { recent, see } = openAt();
    see(outcome, 40);
    expect(recent.isServingNone).toBe(true);
    see('answered', 1);
    expect([recent.unanswered, recent.isServingNone]).toEqual([40 / 41, false]);
  });

  it.each(['refused', 'limited', 'invalid'] as const)(
    'of callers that were %s are unanswered, but not a failure',
    async (outcome) => {
      const { recent, see } = openAt();
      see(outcome, 1000);
      expect([recent.unanswered, recent.isServingNone]).toEqual([1, false]);
      expect(await hopReadiness(recent).check()).toMatchObject({ ready: true });
    },
  );

  it('do not hide a failure behind refused callers', () => {
    const { recent, see } = openAt();
    see('refused', 1000);
    see('unavailable', 20);
    expect(recent.isServingNone).toBe(true);
  });

  it('expire in parts, all of them after the window, for any start of the clock', () => {
    for (const startMs of [0, 1, 4_999, 59_999, 1_234_567.8]) {
      const { recent, see, pass } = openAt(startMs);
      see('unavailable', 30);
      pass(54_000);
      expect(recent.isServingNone).toBe(true);
      see('answered', 30);
      expect(recent.unanswered).toBe(0.5);
      pass(6_000);
      expect(recent.unanswered).toBe(0);
      pass(60_000);
      expect(recent.unanswered).toBeUndefined();
    }
  });

  it('of an hour ago are not counted as current ones', () => {
    const { recent, see, pass } = openAt();
    see('unavailable', 30);
    pass(3_600_000);
    expect(recent.unanswered).toBeUndefined();
    see('answered', 20);
    expect(recent.unanswered).toBe(0);
  });
});
