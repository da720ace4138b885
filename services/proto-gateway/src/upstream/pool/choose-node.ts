import type { KnownNode } from './known-node.js';

export interface ChoiceRules {
  /** Nodes that are further behind the newest one are not asked for the latest block. */
  readonly maxLagBlocks: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * The less busy one of two nodes, of those that are live and have the block that is asked for. When none is live each may
 * be: what a call meets then is what is true. `undefined` only for no nodes.
 *
 * @param height `undefined` for the latest block
 */
export function chooseNode(
  nodes: readonly KnownNode[],
  height: number | undefined,
  { maxLagBlocks, random }: ChoiceRules,
): KnownNode | undefined {
  if (nodes.length < 2) return nodes[0];
  const live = orAll(
    nodes.filter((node) => node.isLive),
    nodes,
  );
  const able = orAll(live.filter(hasBlock(live, height, maxLagBlocks)), live);
  const at = Math.floor(random() * able.length);
  const one = able[at];
  if (able.length < 2 || one === undefined) return one;
  const step = 1 + Math.floor(random() * (able.length - 1));
  const other = able[(at + step) % able.length] ?? one;
  if (one.running !== other.running) return one.running < other.running ? one : other;
  return one.turn <= other.turn ? one : other;
}

/** Nodes that do not say how far they are may have any block. */
function hasBlock(nodes: readonly KnownNode[], height: number | undefined, maxLagBlocks: number) {
  let wanted = height ?? 0;
  if (height === undefined) {
    for (const node of nodes) wanted = Math.max(wanted, (node.height ?? 0) - maxLagBlocks);
  }
  return (node: KnownNode): boolean => node.height === undefined || node.height >= wanted;
}

function orAll<T>(some: readonly T[], all: readonly T[]): readonly T[] {
  return some.length > 0 ? some : all;
}
