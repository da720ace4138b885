import type { Outage } from './connect-problem.js';
import type { KeepaliveTimes } from './http2/keepalive.js';
import type { Metadata } from './metadata.js';

/** TLS settings of a node; PEM texts. */
export interface NodeTls {
  /** Trusted certificate authorities. Default: Node.js's own. */
  readonly ca?: string | undefined;
  /** The client certificate. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined;
}

/** A limit of bytes in use at the same time. */
export interface ByteAllowance {
  /** False when there is no room. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** The options of a channel to one node. */
export interface NodeOptions {
  /** `host:port` */
  readonly target: string;
  /** Omitted: no TLS. */
  readonly tls?: NodeTls | undefined;
  /** The name in the node's certificate, also used by proxies. Default: that of the target. */
  readonly serverName?: string | undefined;
  /** Sent with each call, such as a key of the node's operator. Callers cannot send metadata of these names. */
  readonly metadata?: Metadata | undefined;
  readonly maxReceiveBytes: number;
  /** The budget for bytes of incomplete replies, in the channel `http2`. Default: none. */
  readonly replyBytes?: ByteAllowance | undefined;
  /** Connection timeout of a call, default 2 s. Calls to a node in outage fail at once. */
  readonly connectTimeoutMs?: number;
  readonly keepalive?: KeepaliveTimes;
  /**
   * Concurrent connections to the node, in the channel `http2`, default 8: a further one is opened when the existing ones accept
   * no more calls.
   */
  readonly maxConnections?: number;
  /** Idle time after which a further connection is closed, default 30 s. */
  readonly idleConnectionMs?: number;
  /**
   * Called with the cause when the node becomes unreachable or the cause changes, and with `undefined` when it is reachable
   * again.
   */
  readonly onOutage?: (outage: Outage | undefined) => void;
}

export const CONNECT_TIMEOUT_MS = 2000;
export const KEEPALIVE: KeepaliveTimes = { afterMs: 30_000, timeoutMs: 15_000 };
export const MAX_CONNECTIONS = 8;
export const IDLE_CONNECTION_MS = 30_000;
/** How often the name of a connected node is resolved, to follow a node that moved. */
export const DNS_INTERVAL_MS = 30_000;
/** Delay between reconnects: the first and the longest. */
export const RECONNECT = { firstMs: 200, lastMs: 500 };
