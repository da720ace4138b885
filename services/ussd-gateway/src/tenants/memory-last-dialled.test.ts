import { expect, it } from 'vitest';
import { lastDialledContract } from './last-dialled.contract.js';
import { MemoryLastDialled } from './last-dialled.js';

lastDialledContract(async (retentionMs) => {
  let now = 0;
  return {
    dialled: new MemoryLastDialled({ retentionMs, clock: () => now }),
    pass: async (ms) => {
      now += ms;
    },
  };
});

it('drops the oldest entry when it is full', async () => {
  const dialled = new MemoryLastDialled({ retentionMs: 1000, maxEntries: 2 });
  const keys = ['+254711000001', '+254711000002', '+254711000003'].map((phoneNumber) => ({
    ...{ aggregator: 'nalo', sessionId: 's', phoneNumber },
  }));
  for (const key of keys) await dialled.note(key, 'clinic');
  expect(await Promise.all(keys.map((key) => dialled.find(key)))).toEqual([undefined, 'clinic', 'clinic']);
});
