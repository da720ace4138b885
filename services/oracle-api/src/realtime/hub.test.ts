import { expect, it } from 'vitest';
import { gate } from '../models/scripted-model.fixture.js';
import { Hub } from './hub.js';

const place = { ownerDid: 'did:key:asha', sessionId: 's' };
const frame = { event: 'tool_call', data: {}, text: '{}' };

it('a slow bus does not gather without end what the other replicas are to be told', async () => {
  const slow = gate();
  let published = 0;
  const warnings: object[] = [];
  const hub = new Hub({
    bus: {
      publish: async () => {
        published++;
        await slow.opened;
        return 0;
      },
      send: async () => undefined,
      listen: async () => undefined,
    },
    newId: () => 'id',
    nowMs: () => 0,
    log: { warn: (fields) => warnings.push(fields) },
    limits: { recoveryMs: 1_000, keptFrames: 10, keptChars: 1_000 },
  });
  const told = Array.from({ length: 1_001 }, () => hub.tell(place, [frame]));
  expect([published, warnings]).toEqual([1_000, [{ sessionId: 's' }]]);
  slow.open();
  await Promise.all(told);
  await hub.tell(place, [frame]);
  expect(published).toBe(1_001);
});
