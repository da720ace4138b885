import { chainNodeContract } from './chain-node.contract.js';
import { grpcChainNode } from './grpc-chain-node.js';

chainNodeContract('a node over the stock channel', (target) => grpcChainNode({ target, maxReceiveBytes: 100_000 }));
