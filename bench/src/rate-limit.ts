/**
 * What limiting costs a request: the limiter in service, which is @fastify/rate-limit, beside a bare hook that calls the store
 * and sets the headers. Each runs again and again on a request that came through Fastify, in rounds that take turns.
 */
import { type RateLimitOptions, rateLimitHook } from '@mlango/service-kit/http-app';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { type CpuSubject, measureCpu } from './cpu-timing.js';
import { emptyApp } from './empty-app.js';
import { printTable } from './print-table.js';
import { bareHook } from './rate-limit-bare-hook.js';

const REQUESTS = 20_000;
const max = 1_000_000_000;

const callers: readonly { name: string; address: string; more?: Partial<RateLimitOptions> }[] = [
  { name: 'an IPv4 address', address: '192.0.2.7' },
  { name: 'an IPv6 address', address: '2001:db8:0:1::7' },
  {
    name: 'a user, with a limit of its own',
    address: '192.0.2.7',
    more: { keyOf: () => 'user:did:ixo:ixo1q', maxOf: () => max },
  },
  { name: 'nobody who is limited', address: '192.0.2.7', more: { maxOf: () => undefined } },
];

const rows: string[][] = [];
for (const { name, address, more } of callers) {
  const { bare, limiter } = await costs(address, {
    ...{ max, windowMs: 60_000, store: memoryRateLimitStore() },
    ...more,
  });
  const figures = [bare.toFixed(2), limiter.toFixed(2), (limiter - bare).toFixed(2), (limiter / bare).toFixed(2)];
  rows.push([name, ...figures]);
}
printTable(['counted for', 'bare hook, µs', 'limiter, µs', 'difference, µs', 'ratio'], rows);

/** CPU microseconds of one request of this address. */
async function costs(address: string, limit: RateLimitOptions) {
  const app = await emptyApp();
  const hooks = { bare: bareHook(limit), limiter: await rateLimitHook(app, limit) };
  let measured: Readonly<Record<keyof typeof hooks, number>> | undefined;
  app.get('/', async (request, reply) => {
    const repeated = (hook: (typeof hooks)[keyof typeof hooks]): CpuSubject => ({
      count: REQUESTS,
      run: async () => {
        for (let index = 0; index < REQUESTS; index++) {
          await new Promise<void>((resolve, reject) => {
            hook(request, reply, (failure) => (failure === undefined ? resolve() : reject(failure)));
          });
        }
      },
    });
    measured = await measureCpu({ bare: repeated(hooks.bare), limiter: repeated(hooks.limiter) });
    return 'measured';
  });
  await app.inject({ url: '/', remoteAddress: address });
  await app.close();
  if (measured === undefined) throw new Error('the request was not served');
  return measured;
}
