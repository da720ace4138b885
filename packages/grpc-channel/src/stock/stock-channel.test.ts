import * as grpc from '@grpc/grpc-js';
import { channelContract } from '@mlango/test-services/channel-contract';
import { stockChannel } from './stock-channel.js';

channelContract('a node over the stock channel', (target) => stockChannel(grpc)({ target, maxReceiveBytes: 100_000 }));
