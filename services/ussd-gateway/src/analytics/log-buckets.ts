/**
 * Durations in buckets of a quarter octave: each is about 19 % wider than the one before, so a median read from them is
 * within 10 % of the true one, and an hour of hops takes a few dozen numbers.
 */
const perOctave = 4;
const lowest = -5 * perOctave;
const highest = 22 * perOctave;

/** The bucket of a duration in ms; from 0.03 ms to over an hour. */
export function bucketOf(ms: number): number {
  const bucket = Math.round(Math.log2(Math.max(ms, 0.001)) * perOctave);
  return Math.min(highest, Math.max(lowest, bucket));
}

/** The median, in ms, of durations counted by bucket; null of none. */
export function medianOf(counts: ReadonlyMap<number, number>): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  let seen = 0;
  for (const [bucket, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen * 2 >= total) return Number((2 ** (bucket / perOctave)).toPrecision(3));
  }
  return null;
}
