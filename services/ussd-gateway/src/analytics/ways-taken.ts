import { medianOf } from './log-buckets.js';
import { addTo, type WaySums } from './sums.js';

/** The median time that people looked at a screen before they left it by some ways, in ms. */
export function medianDwell(ways: Iterable<WaySums>): number | null {
  const dwell = new Map<number, number>();
  for (const way of ways) for (const [bucket, count] of way.dwell) addTo(dwell, bucket, count);
  return medianOf(dwell);
}

/** What became of so many who came by some ways. */
export function afterWays(ways: Iterable<WaySums>, came: number) {
  const sums = { abandoned: 0, open: 0 };
  for (const way of ways) {
    sums.abandoned += way.abandoned;
    sums.open += way.open;
  }
  // Counts of one moment may reach the store apart; for that moment a balance can be below zero.
  const abandoned = Math.max(0, sums.abandoned);
  const open = Math.max(0, sums.open);
  const over = Math.max(abandoned, came - open);
  return { abandoned, open, dropOff: over === 0 ? null : abandoned / over };
}
