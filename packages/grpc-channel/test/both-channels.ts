import * as grpc from '@grpc/grpc-js';
import { http2Channel } from '../src/calls/http2-channel.js';
import type { Channel } from '../src/channel.js';
import { grpcJsChannel } from '../src/grpc-js/channel.js';
import type { NodeOptions } from '../src/node-options.js';

/** Faults of nodes and networks are tested over both. */
export const BOTH_CHANNELS: readonly (readonly [name: string, open: (options: NodeOptions) => Channel])[] = [
  ['http2', http2Channel],
  ['grpc-js', grpcJsChannel(grpc)],
];
