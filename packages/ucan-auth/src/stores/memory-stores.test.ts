import { describe, expect, it } from 'vitest';
import { memoryReplayStore, memoryRevocationStore } from './memory-stores.js';
import { replayStoreContract, revocationStoreContract } from './token-stores.contract.js';

replayStoreContract(async (nowSeconds) => memoryReplayStore(() => nowSeconds));

describe('a full replay store', () => {
  it('rejects new claims and still knows the stored ones', async () => {
    const store = memoryReplayStore(() => 1000, 2);
    await store.claim('one', 2000);
    await store.claim('two', 2000);
    await expect(store.claim('three', 2000)).rejects.toThrow(RangeError);
    expect(await store.claim('one', 2000)).toBe(false);
  });
});

revocationStoreContract(async (nowSeconds, quota) => memoryRevocationStore(() => nowSeconds, quota));

describe('a full revocation store', () => {
  it('rejects instead of dropping entries, and accepts new ones after others expire', async () => {
    let now = 1000;
    const store = memoryRevocationStore(() => now, { inAll: 1 });
    await store.revoke({ cid: 'one', issuer: 'a', expiresAt: 2000 });
    await expect(store.revoke({ cid: 'two', issuer: 'a', expiresAt: 2000 })).rejects.toThrow(RangeError);
    now = 2061;
    await store.revoke({ cid: 'two', issuer: 'a', expiresAt: 3000 });
    expect(await store.isAnyRevoked([{ cid: 'two', issuer: 'a' }])).toBe(true);
  });
});
