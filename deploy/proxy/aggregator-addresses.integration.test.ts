import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregatorRules } from '../../services/ussd-gateway/src/aggregators/adapter-rules.fixture.js';
import { aggregatorIds, aggregators } from '../../services/ussd-gateway/src/aggregators/shipped.fixture.js';
import { ask, type RunningProxy } from './doors.fixture.js';
import { type EchoUpstream, startEchoUpstream } from './echo-upstream.fixture.js';
import { proxies } from './proxies.fixture.js';

/** Every endpoint of every aggregator, from the registry. */
const endpoints = aggregatorIds.flatMap((id) =>
  aggregators[id](aggregatorRules).endpoints.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/:[A-Za-z]+/g, 'x'),
  })),
);
/** Other forms of those paths. */
const variants = [
  '/api/ussd/',
  '//api/ussd',
  '/api//ussd',
  '/api/%75ssd',
  '/API/USSD',
  '/api/ussd?hop=1',
  '/api/ussd/%68ubtel',
  '/api//ussd//hubtel',
  '/api/ussd/hubtel/',
  '/api/ussd/infobip/session/x/y/z',
  // The path of a described aggregator.
  '/api/ussd/duka',
  '/api/ussd/duka/hops/',
  '/api/ussd/linked',
  '/api/ussd/callbacks-of-duka',
].map((path) => ({ method: 'POST', path }));
const others = ['/api/ussd/callbacks/money', '/api/ussd/link', '/api/ussd/link/codes', '/health/live', '/docs/json'];

for (const { name, program, start } of proxies) {
  describe.skipIf(program === undefined)(`addresses of aggregators in the ${name} configuration`, () => {
    let upstream: EchoUpstream;
    const running: RunningProxy[] = [];
    const startWith = async (aggregator?: string) => {
      const two = [upstream.address, upstream.address] as const;
      const proxy = await start(program ?? name, { ussd: two, oracle: two, chain: two, playground: two }, aggregator);
      running.push(proxy);
      return proxy;
    };
    beforeAll(async () => {
      upstream = await startEchoUpstream();
    });
    afterAll(async () => {
      for (const proxy of running) await proxy.stop();
      await upstream.close();
    });

    it('refuse every endpoint to an unlisted address, and nothing else', async () => {
      const proxy = await startWith('192.0.2.0/24');
      expect(endpoints.length).toBeGreaterThan(aggregatorIds.length);
      for (const { method, path } of [...endpoints, ...variants])
        expect((await ask(proxy, 'ussd', path, { method })).status, `${method} ${path}`).toBe(403);
      // The headers of a client about its own origin are ignored.
      const forged = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' };
      expect((await ask(proxy, 'ussd', '/api/ussd', { method: 'POST', headers: forged })).status).toBe(403);
      for (const path of others) expect((await ask(proxy, 'ussd', path)).status, path).toBe(200);
      expect((await ask(proxy, 'oracle', '/api/ussd')).status).toBe(200);
    });

    it('are loopback and private ranges as shipped', async () => {
      const proxy = await startWith();
      for (const { method, path } of endpoints)
        expect((await ask(proxy, 'ussd', path, { method })).status, `${method} ${path}`).toBe(200);
    });
  });
}
