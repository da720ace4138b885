import { chainNodeContract } from '../chain-node.contract.js';
import { leanChainNode } from './lean-chain-node.js';

chainNodeContract('a node over the lean channel', (target) => leanChainNode({ target, maxReceiveBytes: 100_000 }));
