import { describe, expect, it } from 'vitest';
import { median, Pairs, settle } from './measure.js';

describe('a median', () => {
  it('is settled when its confidence interval is narrower than a tenth', () => {
    expect(median([1, 1, 1, 1, 1, 1, 1, 1, 50])).toEqual({ figure: 1, isSettled: true });
    expect(median([1, 1, 1])).toEqual({ figure: 1, isSettled: false });
    expect(median([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({ figure: 5, isSettled: false });
  });
});

describe('pairs', () => {
  it('alternate which side goes first, ignore the warm-up, and stop when the ratio settles', async () => {
    const order: string[] = [];
    const slice = (name: string, cpuUs: () => number) => async () => {
      order.push(name);
      return { cpuUs: cpuUs() };
    };
    const pairs = await Pairs.play(
      slice('service', () => (order.length > 8 ? 30 : 9000)),
      slice('floor', () => 10),
      () => 0,
    );
    expect(pairs.ratio).toEqual({ figure: 3, isSettled: true });
    expect(order.slice(0, 4)).toEqual(['service', 'floor', 'floor', 'service']);
    expect(order).toHaveLength(2 * (4 + 9));
  });

  it('stop when time is up', async () => {
    let ms = 0;
    const slow = async () => {
      ms += 15_000;
      return { cpuUs: ms };
    };
    const pairs = await Pairs.play(slow, slow, () => ms);
    expect(pairs.ratio.isSettled).toBe(false);
  });
});

describe('rounds', () => {
  const roundsOf = (figures: readonly (readonly [cpuUs: number, p99Ms: number])[]) => {
    const left = figures.values();
    return async () => {
      const [cpuUs, p99Ms] = left.next().value ?? [0, 0];
      return { cpuUs, p99Ms };
    };
  };

  it('are repeated until every figure agrees in the last three', async () => {
    const settled = await settle(
      roundsOf([
        [100, 50],
        [100, 4],
        [101, 4.1],
        [102, 4.2],
        [1, 1],
      ]),
    );
    expect(settled).toEqual({ cpuUs: { figure: 101, isSettled: true }, p99Ms: { figure: 4.1, isSettled: true } });
  });

  it('report the figure that never agreed as not settled', async () => {
    const settled = await settle(roundsOf(Array.from({ length: 8 }, (_, at) => [100, 4 * (at + 1)] as const)));
    expect(settled).toEqual({ cpuUs: { figure: 100, isSettled: true }, p99Ms: { figure: 28, isSettled: false } });
  });
});
