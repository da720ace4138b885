import { channelContract } from '@mlango/test-services/channel-contract';
import { http2Channel } from './http2-channel.js';

channelContract('a node over the HTTP/2 channel', (target) => http2Channel({ target, maxReceiveBytes: 100_000 }));
