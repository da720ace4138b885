import type { Channel } from '../src/channel.js';
import { KnownNode } from '../src/pool/known-node.js';
import { nodePool, type PoolOptions } from '../src/pool/node-pool.js';
import type { PositionRange, Positions } from '../src/pool/positions.js';

/** Positions as the nodes of tests tell them. */
export const BLOCKS: Positions = {
  name: 'block',
  ofReply: (metadata) => {
    const [, value] = metadata.find(([name]) => name === 'x-block') ?? [];
    return value === undefined ? undefined : Number(value);
  },
  maxLag: 3,
};

/** `@1-5000` as a range. */
export function rangeOf(text: string): PositionRange {
  const [, from, to] = /^@?([0-9]*)-?([0-9]*)$/.exec(text) ?? [];
  return { from: from ? BigInt(from) : undefined, to: to ? BigInt(to) : undefined };
}

/** A pool of nodes of which nothing is known yet; of the first two the one that was not asked last, unless told otherwise. */
export function poolOf(channels: readonly Channel[], options: Partial<PoolOptions> = {}): Channel {
  const { now = () => performance.now() } = options;
  const nodes = channels.map((channel) => new KnownNode(channel, { target: 'node:1', now }));
  return nodePool(nodes, { random: () => 0, now, ...options });
}
