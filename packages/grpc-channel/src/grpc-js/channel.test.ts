import * as grpc from '@grpc/grpc-js';
import { channelContract } from '@mlango/test-services/channel-contract';
import { grpcJsChannel } from './channel.js';

channelContract('a node over the grpc-js channel', (target) =>
  grpcJsChannel(grpc)({ target, maxReceiveBytes: 100_000 }),
);
