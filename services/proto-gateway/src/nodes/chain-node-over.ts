import type { CallOptions, Channel } from '@mlango/grpc-channel';
import { requestedHeight } from './call-key.js';
import type { ChainNode, NodeCall } from './chain-node.js';

/** What is behind a channel, as a node. The height a call asks for is the position of its nodes. */
export function chainNodeOver(channel: Channel): ChainNode {
  return {
    call: (call) => channel.unary(call.path, call.request, optionsOf(call)),
    stream: (call) => channel.stream(call.path, call.request, optionsOf(call)),
    close: () => channel.close(),
  };
}

function optionsOf({ metadata, timeoutMs, signal, atLeast, isOnce }: NodeCall): CallOptions {
  const height = requestedHeight(metadata);
  return { metadata, timeoutMs, signal, atLeast, isOnce, at: height === undefined ? undefined : BigInt(height) };
}
