/** A goal, and how near to it a run came. */
export interface Row {
  readonly name: string;
  /** As it was measured, with its unit. */
  readonly figure: string;
  /** Times the bare route that answers the same bytes, or OpenSSL alone. */
  readonly ratio?: number;
  /** In words. */
  readonly goal: string;
  readonly holds: boolean;
  /** Whether rounds agreed before they were counted. */
  readonly isSettled: boolean;
}

/** What of a row is judged. */
interface Judged {
  readonly name: string;
  readonly figure: string;
  readonly isSettled?: boolean;
}

/** A row whose ratio to the bare route is to be at most so much. */
export function ratioRow(row: Judged, ratio: number, most: number): Row {
  return { isSettled: true, ...row, ratio, goal: `at most ${Number(most.toFixed(2))} times`, holds: ratio <= most };
}

/** A row whose value is to be at most so much; it is told with the unit. */
export function valueRow(
  row: Omit<Judged, 'figure'>,
  value: number,
  most: number,
  { unit, digits = 0 }: { unit: string; digits?: number },
): Row {
  const figure = `${value.toFixed(digits)} ${unit}`;
  return { isSettled: true, ...row, figure, goal: `at most ${most.toFixed(digits)} ${unit}`, holds: value <= most };
}

export function cellsOf({ name, figure, ratio, goal, holds, isSettled }: Row): string[] {
  const judged = holds ? 'holds' : 'DOES NOT HOLD';
  return [name, figure, ratio === undefined ? '' : ratio.toFixed(2), goal, isSettled ? judged : `${judged} (restless)`];
}
