import { memoryRevocationStore } from './memory-revocation-store.js';
import { revocationStoreContract } from './revocation-store.contract.js';

revocationStoreContract(async (nowSeconds) => memoryRevocationStore(() => nowSeconds));
