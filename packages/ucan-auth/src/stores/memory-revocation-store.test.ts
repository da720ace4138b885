import { describe, expect, it } from 'vitest';
import { revocationStoreContract } from '../revocation/revocation-store.contract.js';
import { memoryRevocationStore } from './memory-stores.js';

revocationStoreContract(async (nowSeconds, quota) => memoryRevocationStore(() => nowSeconds, quota));

describe('a full store', () => {
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
