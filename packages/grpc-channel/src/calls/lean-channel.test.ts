import { channelContract } from '@mlango/test-services/channel-contract';
import { leanChannel } from './lean-channel.js';

channelContract('a node over the lean channel', (target) => leanChannel({ target, maxReceiveBytes: 100_000 }));
