/** How far the three last rounds may be apart, as a part of the smallest. */
const apart = 0.1;
const fewestRounds = 3;
const mostRounds = 8;

/** What rounds came to once they agreed. */
export interface Settled<Round> {
  readonly round: Round;
  /** Whether they agreed, before there were too many of them. */
  readonly isSettled: boolean;
}

/**
 * Rounds until the last three agree in their figure, which is when code is compiled and caches are filled; of those three the
 * middle one. After eight of them the middle one of the last three, whatever they are.
 */
export async function settled<Round>(
  play: () => Promise<Round>,
  figureOf: (round: Round) => number,
): Promise<Settled<Round>> {
  const rounds: Round[] = [];
  for (;;) {
    rounds.push(await play());
    const last = rounds.slice(-fewestRounds).toSorted((one, other) => figureOf(one) - figureOf(other));
    const [least, middle, most] = last;
    if (least === undefined || middle === undefined || most === undefined) continue;
    const isSettled = figureOf(most) <= figureOf(least) * (1 + apart);
    if (isSettled || rounds.length === mostRounds) return { round: middle, isSettled };
  }
}
