import { MemoryRecallStore } from './memory-recall-store.fixture.js';
import { recallStoreContract } from './recall-store.contract.js';

recallStoreContract('memory', () => new MemoryRecallStore());
