import { performance } from 'node:perf_hooks';
import type { ChainNode } from '../src/upstream/chain-node.js';
import { type HeightRange, parseNodeTarget } from '../src/upstream/node-target.js';
import { KnownNode } from '../src/upstream/pool/known-node.js';
import { nodePool, type PoolOptions } from '../src/upstream/pool/node-pool.js';

/** Heights as operators write them: `@1-5000`. */
export function heightsOf(range: string): HeightRange {
  const target = parseNodeTarget(`h:1${range}`);
  if (target === undefined) throw new Error(`no range ${range}`);
  return target.heights;
}

/** A pool of nodes of which nothing is known yet; of the first two the one that was not asked last, unless told otherwise. */
export function poolOf(nodes: readonly [ChainNode, ...ChainNode[]], options: Partial<PoolOptions> = {}): ChainNode {
  const { now = () => performance.now() } = options;
  const known = (node: ChainNode): KnownNode => new KnownNode(node, heightsOf(''), now);
  const [first, ...more] = nodes;
  return nodePool([known(first), ...more.map(known)], { maxLagBlocks: 3, random: () => 0, now, ...options });
}
