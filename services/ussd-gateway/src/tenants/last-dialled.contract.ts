import { describe, expect, it } from 'vitest';
import { onTime } from '../sessions/on-time.fixture.js';
import type { LastDialled } from './last-dialled.js';

const key = { aggregator: 'nalo', sessionId: 's', phoneNumber: '+233265542141' };

/** Guarantees of every store of last dialled codes. `open` returns an empty one with this retention, and its clock. */
export function lastDialledContract(
  open: (
    retentionMs: number,
  ) => Promise<{ readonly dialled: LastDialled; readonly pass: (ms: number) => Promise<void> }>,
): void {
  describe('the last dialled tenant', () => {
    it('is the last one stored, for one aggregator, number and id', async () => {
      const { dialled } = await open(60_000);
      expect(await dialled.find(key)).toBeUndefined();
      await dialled.note(key, 'clinic');
      await dialled.note(key, 'shop');
      expect(await dialled.find(key)).toBe('shop');
      for (const other of [{ aggregator: 'arkesel' }, { sessionId: 't' }, { phoneNumber: '+233265542142' }])
        expect(await dialled.find({ ...key, ...other })).toBeUndefined();
    });

    it('expires, and each find extends it', () =>
      onTime(async (lasts) => {
        const { dialled, pass } = await open(300);
        const other = { ...key, sessionId: 'asked' };
        await dialled.note(key, 'clinic');
        const noted = lasts(300);
        await dialled.note(other, 'clinic');
        await pass(200);
        const later = lasts(300);
        const first = await dialled.find(other);
        noted();
        expect(first).toBe('clinic');
        await pass(200);
        expect(await dialled.find(key)).toBeUndefined();
        const second = await dialled.find(other);
        later();
        expect(second).toBe('clinic');
      }));
  });
}
