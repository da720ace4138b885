import { chainNodeContract } from '../chain-node.contract.js';
import { stockChainNode } from './stock-chain-node.js';

chainNodeContract('a node over the stock channel', (target) => stockChainNode({ target, maxReceiveBytes: 100_000 }));
