import { expect, it } from 'vitest';
import { analyticsStoreContract } from './analytics-store.contract.js';
import { retentionHours } from './counts.js';
import { MemoryAnalyticsStore } from './memory-analytics-store.js';

analyticsStoreContract(async () => new MemoryAnalyticsStore());

it('old hours disappear from memory', async () => {
  const store = new MemoryAnalyticsStore();
  const counts = new Map([['failed', 1]]);
  for (let hour = 0; hour < retentionHours * 2; hour++) await store.add({ id: String(hour), hour, counts });
  expect((await store.read(0, retentionHours * 2)).size).toBe(retentionHours);
});
