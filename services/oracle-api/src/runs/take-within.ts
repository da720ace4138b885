/** Takes the first of what waits: as many as have so many characters together, but at least one, and at most `most`. */
export function takeWithin<One>(
  waiting: One[],
  chars: number,
  charsOf: (one: One) => number,
  most = Number.POSITIVE_INFINITY,
): One[] {
  let taken = 0;
  let count = 0;
  for (const one of waiting) {
    taken += charsOf(one);
    if (count > 0 && (taken > chars || count >= most)) break;
    count++;
  }
  return waiting.splice(0, count);
}
