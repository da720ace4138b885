import type { PositionRange } from './positions.js';

/** The result of a probe. */
export interface ProbeResult {
  /** Its newest position, if nodes have a growing history. */
  readonly position?: number | undefined;
  /** When the position was made, in ms since 1970. */
  readonly madeAtMs?: number | undefined;
}

/**
 * `away`: no connection, or the channel reports an outage; `silent`: no response for a second while calls run; `failing`: no calls until a
 * probe succeeds.
 */
export type NodeCondition = 'live' | 'away' | 'failing' | 'silent';

/** The state of a node. */
export interface NodeReport {
  /** `host:port` */
  readonly target: string;
  readonly state: NodeCondition;
  readonly range: PositionRange;
  /** The newest position it is known to have. */
  readonly position: number | undefined;
  /** The last successful probe. */
  readonly lastProbe: (ProbeResult & { readonly latencyMs: number }) | undefined;
  /** The latency of its answers, weighted to the slow ones of the last seconds. */
  readonly latencyMs: number;
  /** Running calls. */
  readonly running: number;
  /** Failures in a row attributed to the node; at three it is skipped, and the count restarts. */
  readonly failures: number;
  /** Pauses since it last answered a call. */
  readonly pauses: number;
}
