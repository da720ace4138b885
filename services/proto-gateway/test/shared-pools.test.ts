import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { sharedPools } from '../src/deps.js';

/** All pools of the service. A new one is added to `sharedPools` and here. */
const names = [
  'key_look_up_waits',
  'key_look_ups',
  'node_calls',
  'reply_bytes',
  'watch_calls',
  'watched_bytes',
  'watched_queries',
  'watches',
];

it('gives every pool of callers a share for each address that is less than the whole', () => {
  const pools = Object.values(sharedPools(readConfig({})));
  expect(pools.map(({ name }) => name).sort()).toEqual(names);
  for (const pool of pools) {
    expect(pool.shareOf('address'), pool.name).toBeGreaterThan(0);
    expect(pool.shareOf('address'), pool.name).toBeLessThan(pool.total);
  }
});

it('gives one key or address its set share, even above a quarter of all watches', () => {
  const { watches } = sharedPools(readConfig({ WATCHES_PER_CLIENT: '90', WATCHES_MAX: '100' }));
  expect([watches.shareOf('client'), watches.shareOf('address')]).toEqual([90, 90]);
});
