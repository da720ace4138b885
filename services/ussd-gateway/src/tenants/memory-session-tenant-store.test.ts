import { expect, it } from 'vitest';
import { sessionTenantStoreContract } from './session-tenant-store.contract.js';
import { MemorySessionTenantStore } from './session-tenant-store.js';

sessionTenantStoreContract(async (retentionMs) => {
  let now = 0;
  return {
    tenants: new MemorySessionTenantStore({ retentionMs, clock: () => now }),
    pass: async (ms) => {
      now += ms;
    },
  };
});

it('drops the oldest entry when it is full', async () => {
  const tenants = new MemorySessionTenantStore({ retentionMs: 1000, maxEntries: 2 });
  const keys = ['+254711000001', '+254711000002', '+254711000003'].map((phoneNumber) => ({
    aggregator: 'nalo',
    sessionId: 's',
    phoneNumber,
  }));
  for (const key of keys) await tenants.save(key, 'clinic');
  expect(await Promise.all(keys.map((key) => tenants.find(key)))).toEqual([undefined, 'clinic', 'clinic']);
});
