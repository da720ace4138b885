/** Block heights a node has, both ends included; `undefined` at an end that is open. */
export interface HeightRange {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** A chain node as an operator names it. */
export interface NodeTarget {
  /** `host:port` */
  readonly address: string;
  readonly heights: HeightRange;
}

const TARGET = /^((?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):[0-9]{1,5})(?:@([0-9]{1,18})?-([0-9]{1,18})?)?$/;

/** Reads `host:port`, with the heights of the node behind it where it has not all: `@1-5000000`, `@5000001-`, `@-5000000`. */
export function parseNodeTarget(text: string): NodeTarget | undefined {
  const [, address, first, last] = TARGET.exec(text) ?? [];
  if (address === undefined) return undefined;
  const heights = { from: asHeight(first), to: asHeight(last) };
  const isEmpty = heights.to !== undefined && heights.to < (heights.from ?? 1n);
  return isEmpty ? undefined : { address, heights };
}

/** @param height `undefined` for the latest block, which a range with an end does not reach */
export function covers({ from, to }: HeightRange, height: bigint | undefined): boolean {
  if (height === undefined) return to === undefined;
  return height >= (from ?? 0n) && (to === undefined || height <= to);
}

export function printRange({ from, to }: HeightRange): string {
  if (to === undefined) return from === undefined ? 'all' : `from ${from}`;
  return from === undefined ? `up to ${to}` : `${from} to ${to}`;
}

function asHeight(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}
