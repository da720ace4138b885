import * as grpc from '@grpc/grpc-js';
import { leanChannel } from '../src/calls/lean-channel.js';
import type { Channel } from '../src/channel.js';
import type { NodeOptions } from '../src/node-options.js';
import { stockChannel } from '../src/stock/stock-channel.js';

/** Faults of nodes and networks are tested over both. */
export const BOTH_CHANNELS: readonly (readonly [name: string, open: (options: NodeOptions) => Channel])[] = [
  ['http2', leanChannel],
  ['grpc-js', stockChannel(grpc)],
];
