import type { Metadata } from '../metadata.js';

/** Part of a history, both ends included; `undefined` at an end that is open. */
export interface PositionRange {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** Positions of nodes in a growing history, such as a chain or a log. */
export interface Positions {
  /** The name of a position in errors: `height`. */
  readonly name: string;
  /** The position in a reply's headers or trailers. */
  readonly ofReply: (metadata: Metadata) => number | undefined;
  /** Nodes with a larger lag get no calls at the newest position. */
  readonly maxLag: number;
}

export const WHOLE: PositionRange = { from: undefined, to: undefined };

/** @param position `undefined` for the newest one, which a range with an end does not reach */
export function covers({ from, to }: PositionRange, position: bigint | undefined): boolean {
  if (position === undefined) return to === undefined;
  return position >= (from ?? 0n) && (to === undefined || position <= to);
}

/** As text: `all`, `from 5`, `up to 9`, `5 to 9`. */
export function printRange({ from, to }: PositionRange): string {
  if (to === undefined) return from === undefined ? 'all' : `from ${from}`;
  return from === undefined ? `up to ${to}` : `${from} to ${to}`;
}
