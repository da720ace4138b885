import type { Channel } from '../src/channel.js';
import { KnownNode } from '../src/pool/known-node.js';
import { nodePool, type PoolOptions } from '../src/pool/node-pool.js';
import type { PositionRange, Positions } from '../src/pool/positions.js';

/** Positions as reported by the nodes of tests. */
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

/** A pool of nodes without history; by default it alternates between the first two. */
export function poolOf(channels: readonly Channel[], options: Partial<PoolOptions> = {}): Channel {
  const { now = () => performance.now() } = options;
  const nodes = channels.map((channel) => new KnownNode(channel, { target: 'node:1', now }));
  return nodePool(nodes, { random: () => 0, now, ...options });
}
