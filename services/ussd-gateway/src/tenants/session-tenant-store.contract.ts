import { describe, expect, it } from 'vitest';
import { onTime } from '../sessions/on-time.fixture.js';
import type { SessionTenantStore } from './session-tenant-store.js';

const key = { aggregator: 'nalo', sessionId: 's', phoneNumber: '+233265542141' };

/** Guarantees of every store of the tenants of sessions. `open` returns an empty one with this retention, and its clock. */
export function sessionTenantStoreContract(
  open: (
    retentionMs: number,
  ) => Promise<{ readonly tenants: SessionTenantStore; readonly pass: (ms: number) => Promise<void> }>,
): void {
  describe('the tenant of a session', () => {
    it('is the last one stored, for one aggregator, number and id', async () => {
      const { tenants } = await open(60_000);
      expect(await tenants.find(key)).toBeUndefined();
      await tenants.save(key, 'clinic');
      await tenants.save(key, 'shop');
      expect(await tenants.find(key)).toBe('shop');
      for (const other of [{ aggregator: 'arkesel' }, { sessionId: 't' }, { phoneNumber: '+233265542142' }])
        expect(await tenants.find({ ...key, ...other })).toBeUndefined();
    });

    it('expires, and each find extends it', () =>
      onTime(async (lasts) => {
        const { tenants, pass } = await open(300);
        const other = { ...key, sessionId: 'other' };
        await tenants.save(key, 'clinic');
        const noted = lasts(300);
        await tenants.save(other, 'clinic');
        await pass(200);
        const later = lasts(300);
        const first = await tenants.find(other);
        noted();
        expect(first).toBe('clinic');
        await pass(200);
        expect(await tenants.find(key)).toBeUndefined();
        const second = await tenants.find(other);
        later();
        expect(second).toBe('clinic');
      }));
  });
}
