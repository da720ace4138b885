import * as grpc from '@grpc/grpc-js';
import { type Channel, leanChannel, type NodeOptions } from '@mlango/grpc-channel';
import { stockChannel } from '@mlango/grpc-channel/stock';

/** The channels to a node: our own over HTTP/2, and that of grpc-js. Both hold to the same contract; our own costs a third of the CPU. */
export const CHANNELS = ['http2', 'grpc-js'] as const;
export type ChannelKind = (typeof CHANNELS)[number];

export const OPEN_CHANNEL: Readonly<Record<ChannelKind, (options: NodeOptions) => Channel>> = {
  http2: leanChannel,
  'grpc-js': stockChannel(grpc),
};
