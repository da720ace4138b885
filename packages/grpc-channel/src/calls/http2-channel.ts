import { CALL_TIMEOUT_MS, type CallOptions, type Channel } from '../channel.js';
import { encodeHeaders, HeaderBlock } from '../http2/hpack-encoder.js';
import { withoutNames } from '../metadata.js';
import {
  CONNECT_TIMEOUT_MS,
  DNS_INTERVAL_MS,
  IDLE_CONNECTION_MS,
  KEEPALIVE,
  MAX_CONNECTIONS,
  type NodeOptions,
  RECONNECT,
} from '../node-options.js';
import { dnsChange } from './dns-change.js';
import { metadataHeaders, methodHeaders } from './grpc-headers.js';
import type { OutgoingCall } from './http2-call.js';
import { NodeLink } from './node-link.js';
import { connectSocket } from './open-connection.js';
import { streamCall, unaryCall } from './start-call.js';

/** One node over the HTTP/2 client of this package. It connects with the first call. */
export function http2Channel(options: NodeOptions): Channel {
  const { target, tls, serverName, maxReceiveBytes: limitBytes, replyBytes } = options;
  const own = options.metadata ?? [];
  const link = new NodeLink({
    connect: (onOpen) => connectSocket(target, options, onOpen),
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepalive: options.keepalive ?? KEEPALIVE,
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    idleMs: options.idleConnectionMs ?? IDLE_CONNECTION_MS,
    backoff: RECONNECT,
    hasDnsChanged: dnsChange(target),
    dnsIntervalMs: DNS_INTERVAL_MS,
    now: () => performance.now(),
    random: Math.random,
    onOutage: (outage) => options.onOutage?.(outage),
  });
  /** By method path. */
  const methodBlocks = new Map<string, Uint8Array>();
  const headers = new HeaderBlock();

  function prepare(path: string, request: Uint8Array, options: CallOptions): OutgoingCall {
    const { metadata = [], timeoutMs = CALL_TIMEOUT_MS, signal } = options;
    let method = methodBlocks.get(path);
    if (method === undefined) {
      method = encodeHeaders([
        ...methodHeaders(path, serverName ?? target, tls !== undefined),
        ...metadataHeaders(own),
      ]);
      methodBlocks.set(path, method);
    }
    return {
      link,
      limitBytes,
      replyBytes,
      method,
      metadata: withoutNames(metadata, own),
      headers,
      request,
      timeoutMs,
      signal,
    };
  }

  return {
    unary: (path, request, call = {}) => unaryCall(prepare(path, request, call)),
    stream: (path, request, call = {}) => streamCall(prepare(path, request, call)),
    reconnect: () => link.reconnect(),
    close: () => link.close(),
  };
}
