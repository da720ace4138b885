/** How far the bounds of the middle may be apart, as a part of the lower one. */
const apart = 0.1;
/** With fewer figures no bounds hold. */
const fewest = 9;
/** Of the normal distribution: 19 times in 20. */
const sureness = 1.96;

/** The middle one of figures. */
export interface Middle {
  readonly figure: number;
  /** Whether it is known to a tenth. */
  readonly isSettled: boolean;
}

/**
 * The median of figures that were measured one after another, and whether it is known to a tenth: 19 times in 20 the one that endless
 * measuring would give lies between two of the figures (the sign test says which), however wild the others are.
 */
export function middleOf(figures: readonly number[]): Middle {
  const sorted = figures.toSorted((one, other) => one - other);
  const count = sorted.length;
  const rank = Math.max(0, Math.floor((count - sureness * Math.sqrt(count)) / 2));
  const [low = 0, high = 0] = [sorted[rank], sorted[count - 1 - rank]];
  return { figure: sorted[count >> 1] ?? 0, isSettled: count >= fewest && high <= low * (1 + apart) };
}
