import { describe, expect, it } from 'vitest';
import { middleOf } from './middle.js';
import { Pairs } from './pairs.js';

describe('the middle of figures', () => {
  it('is the median, whatever lies far from it', () => {
    expect(middleOf([100, 5000, 101, 99, 102, 98, 100, 101, 1]).figure).toBe(100);
  });

  it('is known once it lies between figures that are within a tenth of each other', () => {
    const near = [98, 99, 100, 100, 101, 102, 103];
    expect(middleOf([1, ...near, 5000]).isSettled).toBe(true);
    expect(middleOf([1, 2, ...near, 5000]).isSettled).toBe(false);
    expect(middleOf(near).isSettled).toBe(false);
  });
});

describe('pairs', () => {
  const slices = (...all: number[]) => {
    let asked = 0;
    const play = async () => ({ cpuUs: all[Math.min(asked++, all.length - 1)] ?? 1 });
    return { play, asked: () => asked };
  };

  it('end when their ratio is known, without those that warmed up', async () => {
    const [service, bare] = [slices(900, 800, 700, 600, 300), slices(100)];
    const pairs = await Pairs.play(service.play, bare.play);
    expect([pairs.ratio, pairs.cpuUs]).toEqual([{ figure: 3, isSettled: true }, 300]);
    expect([service.asked(), bare.asked()]).toEqual([13, 13]);
  });

  it('find the ratio though the machine slows down and comes back, where it does so to both', async () => {
    const paced = (cpuUs: number) => slices(...Array.from({ length: 40 }, (_, index) => cpuUs * (1 + (index % 7))));
    const pairs = await Pairs.play(paced(300).play, paced(100).play);
    expect(pairs.ratio).toEqual({ figure: 3, isSettled: true });
  });

  it('end after so many that do not agree, and say so', async () => {
    const service = slices(...Array.from({ length: 40 }, (_, n) => 2 ** (n % 10)));
    expect((await Pairs.play(service.play, slices(1).play)).ratio.isSettled).toBe(false);
    expect(service.asked()).toBe(32);
  });

  it('end when time is up, with at least one that counts', async () => {
    let nowMs = 0;
    const service = slices(3);
    const slow = async () => {
      nowMs += 25_000;
      return service.play();
    };
    const pairs = await Pairs.play(slow, slices(1).play, () => nowMs);
    expect([pairs.ratio, service.asked()]).toEqual([{ figure: 3, isSettled: false }, 5]);
  });
});
