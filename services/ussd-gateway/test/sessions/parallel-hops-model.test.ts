import fc from 'fast-check';
import { it } from 'vitest';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { delivery, play } from './parallel-hops-model.fixture.js';

it('a session in memory agrees with the table of its dialogue, over retries, late duplicates and lost data', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(delivery, { maxLength: 25 }), (deliveries) =>
      play(deliveries, 's', async () => {
        const store = new MemorySessionStore();
        return [store, store];
      }),
    ),
    { numRuns: 200 },
  );
});
