import { isIPv6 } from 'node:net';
import type { PositionRange } from '@mlango/grpc-channel';

/** A chain node as an operator names it. */
export interface NodeTarget {
  /** `host:port` */
  readonly address: string;
  readonly heights: PositionRange;
}

/** Names of containers may have underscores. */
const TARGET = /^((?:[A-Za-z0-9._-]+|\[([0-9A-Fa-f:.]+)\]):([0-9]{1,5}))(?:@([0-9]{1,18})?-([0-9]{1,18})?)?$/;
const MAX_PORT = 65_535;

/** Reads `host:port`, with the heights of the node behind it where it has not all: `@1-5000000`, `@5000001-`, `@-5000000`. */
export function parseNodeTarget(text: string): NodeTarget | undefined {
  const [, address, ipv6, port, first, last] = TARGET.exec(text) ?? [];
  if (address === undefined || (ipv6 !== undefined && !isIPv6(ipv6))) return undefined;
  if (Number(port) < 1 || Number(port) > MAX_PORT) return undefined;
  const heights = { from: asHeight(first), to: asHeight(last) };
  const isEmpty = heights.to !== undefined && heights.to < (heights.from ?? 1n);
  return isEmpty ? undefined : { address, heights };
}

function asHeight(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}
