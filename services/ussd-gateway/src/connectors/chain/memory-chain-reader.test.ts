import { describe } from 'vitest';
import { chainReaderContract, chainReplies } from './chain-reader.contract.js';
import { MemoryChainReader } from './memory-chain-reader.fixture.js';

describe('a chain reader in memory', () => {
  chainReaderContract(() => new MemoryChainReader(chainReplies));
});
