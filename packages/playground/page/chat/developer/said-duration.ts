/** Milliseconds as people say them: 0.31 s, 12.4 s. */
export function saidDuration(ms: number): string {
  const seconds = ms / 1_000;
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}
