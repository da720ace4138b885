import { describe, expect, it } from 'vitest';
import { memoryReplayStore } from './memory-stores.js';
import { replayStoreContract } from './replay-store.contract.js';

replayStoreContract(async (nowSeconds) => memoryReplayStore(() => nowSeconds));

describe('a full store', () => {
  it('rejects new claims and still knows the stored ones', async () => {
    const store = memoryReplayStore(() => 1000, 2);
    await store.claim('one', 2000);
    await store.claim('two', 2000);
    await expect(store.claim('three', 2000)).rejects.toThrow(RangeError);
    expect(await store.claim('one', 2000)).toBe(false);
  });
});
