import type { ChainNode, NodeCall } from '../chain-node.js';
import type { ChainNodeOptions } from '../chain-node-options.js';
import { CONNECT_TIMEOUT_MS, KEEPALIVE, LOOK_AGAIN_MS, RECONNECT } from '../chain-node-options.js';
import { describeConnectProblem } from '../connect-problem.js';
import { encodeHeaders } from '../http2/hpack-encoder.js';
import { connectSocket } from './connect-socket.js';
import { callHeaders, methodHeaders } from './grpc-headers.js';
import type { LeanCallOptions } from './lean-call.js';
import { movedName } from './moved-name.js';
import { NodeLink } from './node-link.js';
import { streamCall } from './stream-call.js';
import { unaryCall } from './unary-call.js';

/** One chain node over the gateway's own channel. It connects with the first call. */
export function leanChainNode(options: ChainNodeOptions): ChainNode {
  const { target, tls, maxReceiveBytes: limitBytes, replyBytes } = options;
  const link = new NodeLink({
    connect: (onOpen) => connectSocket(target, tls, onOpen),
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepalive: options.keepalive ?? KEEPALIVE,
    backoff: RECONNECT,
    hasMoved: movedName(target),
    lookAgainMs: LOOK_AGAIN_MS,
    now: () => performance.now(),
    random: Math.random,
    onAway: (isAway, reason) => options.onAway?.(isAway, reason),
    describe: describeConnectProblem,
  });
  /** As many as there are methods. */
  const methodBlocks = new Map<string, Uint8Array>();

  function prepare(call: NodeCall): LeanCallOptions {
    let method = methodBlocks.get(call.path);
    if (method === undefined) {
      method = encodeHeaders(methodHeaders(call.path, target, tls !== undefined));
      methodBlocks.set(call.path, method);
    }
    return {
      link,
      limitBytes,
      replyBytes,
      blocks: [method, encodeHeaders(callHeaders(call.metadata, call.timeoutMs))],
    };
  }

  return {
    call: (call) => unaryCall(call, prepare(call)),
    stream: (call) => streamCall(call, prepare(call)),
    close: () => link.close(),
  };
}
