import type { Probe } from '../probe.js';
import type { KnownNode } from './known-node.js';

export interface WatchRules {
  /** Time between two looks at a node, in ms. */
  readonly everyMs: number;
  /** Time a node has for its answer, in ms. */
  readonly timeoutMs: number;
}

/** One look that brings nothing may be chance. */
const MISSES = 2;

/**
 * Asks each node again and again how it stands, so that one that failed comes back without costing a caller anything, and
 * one that answers nothing is known before it is asked. Ends with the function returned.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function watchNodes(
  nodes: readonly KnownNode[],
  probe: Probe,
  { everyMs, timeoutMs }: WatchRules,
  now: () => number,
): () => void {
  const watches = nodes.map((known) => {
    let isLooking = false;
    let misses = 0;
    return async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      const startedAt = now();
      const sighting = await probe(known.channel, timeoutMs, known).catch(() => undefined);
      isLooking = false;
      misses = sighting === undefined ? misses + 1 : 0;
      if (sighting !== undefined) {
        known.looked = { ...sighting, latencyMs: now() - startedAt };
        known.probed(sighting.position);
      } else if (misses >= MISSES) known.rest();
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
