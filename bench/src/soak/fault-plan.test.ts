import { describe, expect, it } from 'vitest';
import { type FaultKind, faultKinds } from './fault-kinds.js';
import { planOf } from './fault-plan.js';

const seeds = Array.from({ length: 50 }, (_, index) => index + 1);
const kinds = Object.keys(faultKinds) as FaultKind[];

describe('a plan of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planOf(7, 10)).toEqual(planOf(7, 10));
    expect(planOf(7, 10)).not.toEqual(planOf(8, 10));
  });

  it('has each kind in ten minutes, at whatever seed', () => {
    for (const seed of seeds) expect(new Set(planOf(seed, 10).map(({ kind }) => kind))).toEqual(new Set(kinds));
  });

  it.each([1, 10, 120])(
    'leaves calm between faults, around each checkpoint and at the end of %i minutes',
    (minutes) => {
      const wholeMs = minutes * 60_000;
      for (const plan of seeds.slice(0, 10).map((seed) => planOf(seed, minutes))) {
        const ends = plan.map(({ atMs, forMs }) => atMs + forMs);
        const calms = plan.map(({ atMs }, index) => atMs - (ends[index - 1] ?? 0));
        expect(Math.min(...calms)).toBeGreaterThanOrEqual(Math.min(10_000, wholeMs / 25));
        expect(plan.filter(({ atMs, forMs }) => atMs <= wholeMs / 2 && atMs + forMs >= wholeMs / 2)).toEqual([]);
        expect(ends.at(-1)).toBeLessThanOrEqual(wholeMs * 0.85);
      }
    },
  );

  it('has no faults but those it is asked for, at targets that can have them', () => {
    const plan = planOf(3, 120, ['kill', 'latency']);
    expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['kill', 'latency']));
    for (const { kind, target } of planOf(3, 120)) expect(faultKinds[kind].targets).toContain(target);
    expect(planOf(3, 10, [])).toEqual([]);
  });
});
