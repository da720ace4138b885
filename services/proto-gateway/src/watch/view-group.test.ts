import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { expect, it } from 'vitest';
import type { HoldBytes, View } from './subscription.js';
import { ViewGroup } from './view-group.js';

const view: View = {
  key: 'json',
  write: (message) => 'x'.repeat(message.length),
  describe: (failure) => ({ code: 8, message: String(failure), details: [] }),
};
const reported = (bytes: number) => ({ digest: String(bytes), message: new Uint8Array(bytes) });

it('reserves the bytes of one written answer, and sends a failure if the pool is full', () => {
  const pool = new FairSemaphore({ name: 'watched_bytes', total: 100, shares: { address: 60 } });
  const hold: HoldBytes = (bytes) => {
    const taken = pool.tryAcquire({ address: '10.0.0.1' }, bytes);
    return 'full' in taken ? undefined : taken;
  };
  const groups = [1, 2].map(() => new ViewGroup(view, hold, async () => undefined));
  const [first, second] = groups as [ViewGroup, ViewGroup];
  first.write(reported(40), 1);
  second.write(reported(40), 1);
  expect([first.frame?.kind, second.frame?.kind, pool.taken]).toEqual(['answer', 'failed', 40]);
  first.write(reported(20), 2);
  second.write(reported(40), 2);
  expect([first.frame?.kind, second.frame?.kind, pool.taken]).toEqual(['answer', 'answer', 60]);
  for (const group of groups) group.clear();
  expect(pool.taken).toBe(0);
});
