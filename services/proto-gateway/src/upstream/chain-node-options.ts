import type { ByteBudget } from './byte-budget.js';
import type { KeepaliveTimes } from './http2/keepalive.js';
import type { NodeTls } from './node-tls.js';

/** What every channel to a node is told. */
export interface ChainNodeOptions {
  /** `host:port` */
  readonly target: string;
  /** Omitted: no TLS. */
  readonly tls?: NodeTls | undefined;
  readonly maxReceiveBytes: number;
  /** What parts of replies are counted with until they are whole, over the lean channel; omitted: they are not. */
  readonly replyBytes?: ByteBudget | undefined;
  /** How long a call waits for a connection, 2 s unless given. A node known to be away is not waited for. */
  readonly connectTimeoutMs?: number;
  readonly keepalive?: KeepaliveTimes;
  /** Told once when the node turns out to be away, with the reason for operators, and once when it is back. */
  readonly onAway?: (isAway: boolean, reason: string) => void;
}

export const CONNECT_TIMEOUT_MS = 2000;
export const KEEPALIVE: KeepaliveTimes = { afterMs: 30_000, timeoutMs: 15_000 };
/** How often the name of a node is looked up while it is connected, so that a node that moved is followed. */
export const LOOK_AGAIN_MS = 30_000;
/** Time between attempts to reach a node that is away: from the first to the longest. */
export const RECONNECT = { firstMs: 200, lastMs: 2000 };
