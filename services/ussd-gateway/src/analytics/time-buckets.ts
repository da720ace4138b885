/** Upper bounds of the buckets, in ms; the last one also has all longer times. */
const bounds = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 3000, 5000, 7000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000,
  90_000, 120_000, 180_000, 300_000, 600_000, 3_600_000,
] as const;
const longest = 3_600_000;

/** The upper bound of the bucket of a time. */
export function bucketOf(ms: number): number {
  return bounds.find((bound) => ms <= bound) ?? longest;
}

/**
 * The median of times counted by bucket, in ms: interpolated in its bucket, as `histogram_quantile` of Prometheus does. Null of none.
 */
export function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const half = [...counts.values()].reduce((sum, count) => sum + count, 0) / 2;
  if (half === 0) return null;
  let below = 0;
  let lower = 0;
  for (const bound of bounds) {
    const count = counts.get(bound) ?? 0;
    if (below + count >= half) return Number((lower + ((bound - lower) * (half - below)) / count).toPrecision(3));
    below += count;
    lower = bound;
  }
  return longest;
}
