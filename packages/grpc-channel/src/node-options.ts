import type { Outage } from './connect-problem.js';
import type { KeepaliveTimes } from './http2/keepalive.js';
import type { Metadata } from './metadata.js';

/** How a node is spoken to over TLS; PEM texts. */
export interface NodeTls {
  /** Trusted certificate authorities; those of Node.js unless set. */
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
  /** The name that the node's certificate is for, and that proxies know it by; that of the target unless given. */
  readonly serverName?: string | undefined;
  /** Goes with each call, such as a key of the node's operator. Callers cannot send metadata of these names. */
  readonly metadata?: Metadata | undefined;
  readonly maxReceiveBytes: number;
  /** What parts of replies are counted with until they are whole, in the channel `http2`; omitted: they are not. */
  readonly replyBytes?: ByteAllowance | undefined;
  /** Connection timeout of a call, 2 s unless set. Calls to a node in outage fail at once. */
  readonly connectTimeoutMs?: number;
  readonly keepalive?: KeepaliveTimes;
  /** Connections to the node at a time, in the channel `http2`, 8 unless given: a further one is made when it takes no more calls over those there are. */
  readonly maxConnections?: number;
  /** A further connection that is idle for so long is closed, 30 s unless given. */
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
/** How often the name of a node is looked up while it is connected, so that a node that moved is followed. */
export const DNS_INTERVAL_MS = 30_000;
/** Delay between reconnects: the first and the longest. */
export const RECONNECT = { firstMs: 200, lastMs: 500 };
