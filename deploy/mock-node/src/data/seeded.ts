import { createHash } from 'node:crypto';

/** Choices that look arbitrary and are the same for a label every time. */
export interface Seeded {
  /** A whole number between two, both included. */
  int(min: number, max: number): number;
  /** One of a list. */
  pick<T>(from: readonly [T, ...T[]]): T;
  /** True so often, from 0 to 1. */
  chance(probability: number): boolean;
}

/** Makes choices from a label. */
export function seeded(label: string): Seeded {
  let state = digest(label).readUInt32LE(0);
  // A linear congruential step with the output mixed: plenty for test data.
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    pick: (from) => from[int(0, from.length - 1)] ?? from[0],
    chance: (probability) => next() < probability,
  };
}

/** 32 bytes that stand for a label. */
export function digest(label: string): Buffer {
  return createHash('sha256').update(label).digest();
}
