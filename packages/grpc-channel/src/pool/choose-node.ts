import type { KnownNode } from './known-node.js';

export interface ChoiceRules {
  /** Nodes with a larger lag get no calls at the newest position. */
  readonly maxLag: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Costs within this factor count as equal: measurements are never exact. */
const EQUAL_COST_FACTOR = 1.25;

/**
 * Chooses the cheaper of two random nodes, by load and latency, among live nodes with the position. If no node is live, all are
 * candidates. `undefined` only without nodes.
 *
 * @param position `undefined` for the newest one
 */
export function chooseNode(
  nodes: readonly KnownNode[],
  position: number | undefined,
  { maxLag, random }: ChoiceRules,
): KnownNode | undefined {
  if (nodes.length < 2) return nodes[0];
  const live = orAll(
    nodes.filter((node) => node.isLive),
    nodes,
  );
  const able = orAll(live.filter(hasPosition(live, position, maxLag)), live);
  const at = Math.floor(random() * able.length);
  const one = able[at];
  if (able.length < 2 || one === undefined) return one;
  const step = 1 + Math.floor(random() * (able.length - 1));
  const other = able[(at + step) % able.length] ?? one;
  return cheaper(one, other);
}

function cheaper(one: KnownNode, other: KnownNode): KnownNode {
  const [first, second] = [one.cost, other.cost];
  if (first > second * EQUAL_COST_FACTOR) return other;
  if (second > first * EQUAL_COST_FACTOR) return one;
  if (one.running !== other.running) return one.running < other.running ? one : other;
  return one.lastCallNumber <= other.lastCallNumber ? one : other;
}

/** Nodes without a reported position may have any. */
function hasPosition(nodes: readonly KnownNode[], position: number | undefined, maxLag: number) {
  let wanted = position ?? 0;
  if (position === undefined) {
    for (const node of nodes) wanted = Math.max(wanted, (node.position ?? 0) - maxLag);
  }
  return (node: KnownNode): boolean => node.position === undefined || node.position >= wanted;
}

function orAll<T>(some: readonly T[], all: readonly T[]): readonly T[] {
  return some.length > 0 ? some : all;
}
