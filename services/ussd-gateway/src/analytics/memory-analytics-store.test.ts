import { expect, it } from 'vitest';
import { analyticsStoreContract } from './analytics-store.contract.js';
import { keptHours } from './counts.js';
import { MemoryAnalyticsStore } from './memory-analytics-store.js';

analyticsStoreContract(async () => new MemoryAnalyticsStore());

it('old hours disappear from memory', async () => {
  const store = new MemoryAnalyticsStore();
  const counts = new Map([['failed', 1]]);
  for (let hour = 0; hour < keptHours * 2; hour++) await store.add({ id: String(hour), hour, counts });
  expect((await store.read(0, keptHours * 2)).size).toBe(keptHours);
});
