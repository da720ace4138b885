/** Deterministic random numbers of a seed. */
export interface Dice {
  /** From 0 up to and without `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with this probability, in percent. */
  percent(share: number): boolean;
}

/** Source: mulberry32, which is in the public domain. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    percent: (share) => next() * 100 < share,
    pick(list) {
      const item = list[below(list.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}
