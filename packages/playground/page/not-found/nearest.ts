/** Maximum edit distance: a typing mistake, not a guess. */
const slips = 2;

/** The closest known word; undefined without a close one. Pure. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  const text = written.toLowerCase();
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(text, word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.min(slips, word.length - 1))
    .toSorted((one, other) => one.distance - other.distance);
  return best?.word;
}

/** Edit distance with insertions, deletions, replacements and swaps of neighbours: optimal string alignment. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
