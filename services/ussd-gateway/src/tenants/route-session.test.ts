import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findTenant, type Routing } from './route-session.js';
import type { Tenant } from './tenant.js';
import type { TenantRegistry } from './tenant-registry.js';

it('a route that cannot be stored is no unhandled rejection if the hop was refused before', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const tenant = { id: 'clinic' } as Tenant;
  const routing = {
    tenants: { dialled: () => tenant, onlyTenant: undefined } as unknown as TenantRegistry,
    sessionTenants: { save: async () => Promise.reject(new Error('unavailable')), find: async () => undefined },
    codes: { isOfDefault: () => false },
  } as unknown as Routing;
  const dial = { kind: 'hop', sessionId: 's', phoneNumber: '+260971230567', serviceCode: '*384#', text: '' } as const;
  const routed = await findTenant(dial, 'canonical', routing);
  await setImmediate();
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
  await expect(routed?.routeSaved).rejects.toThrow('unavailable');
});
