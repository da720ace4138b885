import { pino } from 'pino';
import { expect, it } from 'vitest';
import { serviceRateLimitStore } from './redis-rate-limit-store.js';

const logger = pino({ level: 'silent' });
const minute = 60_000;

it('counts in each process without Redis', async () => {
  const [one, two] = [1, 2].map(() => serviceRateLimitStore(undefined, 'test', logger));
  expect((await one?.hit('caller', minute))?.count).toBe(1);
  expect((await two?.hit('caller', minute))?.count).toBe(1);
});
