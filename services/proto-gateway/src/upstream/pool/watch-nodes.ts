import { type NodeState, readNodeState } from '../node-state.js';
import type { KnownNode } from './known-node.js';

export interface WatchRules {
  /** Time between two looks at a node, in ms. */
  readonly everyMs: number;
  /** Time a node has for its answer, in ms. */
  readonly timeoutMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Told what each look brought. */
  readonly onLook?: (known: KnownNode, state: NodeState) => void;
}

/** One look that brings nothing may be chance. */
const MISSES = 2;

/**
 * Asks each node again and again how far it is, so that one that failed comes back without costing a caller anything, and
 * one that answers nothing is known before it is asked. Ends with the function returned.
 */
export function watchNodes(nodes: readonly KnownNode[], { everyMs, timeoutMs, now, onLook }: WatchRules): () => void {
  const watches = nodes.map((known) => {
    let isLooking = false;
    let misses = 0;
    return async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      const startedAt = now();
      const state = await readNodeState(known.node, timeoutMs);
      const { reachable, height, blockSeconds } = state;
      isLooking = false;
      if (reachable) known.looked = { latencyMs: now() - startedAt, blockSeconds };
      misses = reachable ? 0 : misses + 1;
      if (reachable) known.probed(height);
      else if (misses >= MISSES) known.rest();
      onLook?.(known, state);
    };
  });
  const look = (): void => {
    for (const watch of watches) void watch();
  };
  look();
  const timer = setInterval(look, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
