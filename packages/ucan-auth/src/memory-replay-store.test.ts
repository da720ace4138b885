import { memoryReplayStore } from './memory-replay-store.js';
import { replayStoreContract } from './replay-store.contract.js';

replayStoreContract(async (nowSeconds) => memoryReplayStore(() => nowSeconds));
