import type { Probe } from '../probe.js';
import type { KnownNode } from './known-node.js';

export interface WatchRules {
  /** Time between two looks at a node, in ms. */
  readonly everyMs: number;
  /** Time a node has for its answer, in ms. */
  readonly timeoutMs: number;
  /** A node whose looks were all silent for so long gets a fresh connection, in ms. */
  readonly silentMs: number;
}

/** One look that brings nothing may be chance. */
const MISSES = 2;
/** A timer may end so much early. */
const TIMER_MS = 2;

/**
 * Asks each node again and again how it stands, so that one that failed comes back without costing a caller anything, and
 * one that answers nothing is known before it is asked. Ends with the function returned.
 *
 * Looks that fail without taking their whole time are answers: the connection works, or there is none.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function watchNodes(
  nodes: readonly KnownNode[],
  probe: Probe,
  { everyMs, timeoutMs, silentMs }: WatchRules,
  now: () => number,
): () => void {
  const watches = nodes.map((known) => {
    let isLooking = false;
    let misses = 0;
    const silence = new Silence(silentMs);
    return async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      const startedAt = now();
      const sighting = await probe(known.channel, timeoutMs, known).catch(() => undefined);
      isLooking = false;
      misses = sighting === undefined ? misses + 1 : 0;
      const isSilent = sighting === undefined && now() - startedAt >= timeoutMs - TIMER_MS;
      if (silence.lasts(isSilent, startedAt, now())) known.channel.reconnect?.();
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

/** Finds looks that were silent one after the other for too long. */
class Silence {
  readonly #limitMs: number;
  #since: number | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** True once for each time the limit is reached. */
  lasts(isSilent: boolean, startedAt: number, now: number): boolean {
    this.#since = isSilent ? (this.#since ?? startedAt) : undefined;
    if (this.#since === undefined || now - this.#since < this.#limitMs) return false;
    this.#since = undefined;
    return true;
  }
}
