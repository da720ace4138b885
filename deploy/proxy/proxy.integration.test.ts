import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { findProgram } from '@mlango/test-services/proxy-process';
import { freePort } from '@mlango/test-services/servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { caddyfile } from './caddy.fixture.js';
import { ask, type Door, doors, type RunningProxy, target, type Upstreams } from './doors.fixture.js';
import { type Echo, type EchoUpstream, startEchoUpstream } from './echo-upstream.fixture.js';
import { proxies } from './proxies.fixture.js';

const closedRoutes: readonly [Door, string][] = [
  ...doors.flatMap((door): [Door, string][] => [
    [door, '/metrics'],
    [door, '/metrics/'],
    [door, '/metrics/nodes'],
    [door, '/metrics?x=1'],
    [door, '//metrics'],
    [door, '/%6detrics'],
    [door, '/METRICS'],
    [door, '/health/ready'],
    [door, '/health%2fready'],
  ]),
  ['ussd', '/api/ussd/sessions'],
  ['ussd', '/api/ussd/analytics?hours=24'],
  ['ussd', '/api/ussd/debug/ATUid_1'],
  ['ussd', '/api/ussd/%64ebug/ATUid_1'],
  ['ussd', '/api//ussd/debug/ATUid_1'],
  ['ussd', '/api/ussd/simulator'],
  ['ussd', '/simulator'],
  ['ussd', '/api/ussd/customers/C1234567A/pin-code'],
  ['ussd', '/api/ussd/pushes'],
  ['oracle', '/feedback?days=7'],
  ['oracle', '//feedback'],
  ['oracle', '/credits/top-ups'],
  ['oracle', '/credits/claims/process'],
  ['oracle', '/calls/c-1/agent'],
  ['oracle', '/calls//c-1/agent'],
  ['oracle', '/calls/c-1/%61gent'],
];

const openRoutes: readonly [Door, string][] = [
  ['ussd', '/api/ussd'],
  ['ussd', '/api/ussd/africastalking?secret=a%20b'],
  ['oracle', '/sessions?limit=20'],
  ['oracle', '/messages/$room-1_a'],
  ['oracle', '/docs/json'],
  ['oracle', '/sessions/s-1/feedback'],
  ['oracle', '/credits'],
  ['oracle', '/calls/c-1'],
  ['oracle', '/calls/livekit'],
  ['chain', '/proto/entity/did:ixo:entity:1'],
  ['chain', '/proto/bank/denom/ibc%2F27394FB0?a=..%2Fb'],
  ['chain', '/openapi.json'],
  ['playground', '/'],
  ['playground', '/oracle/runs/r-1?after=7'],
  ['playground', '/chain/proto/entity/did:ixo:entity:1'],
];

for (const { name, program, start } of proxies) {
  describe.skipIf(program === undefined)(`the ${name} configuration`, () => {
    let upstream: EchoUpstream;
    let proxy: RunningProxy;

    beforeAll(async () => {
      upstream = await startEchoUpstream();
      proxy = await start(program ?? name, everyDoor(upstream.address));
    });
    afterAll(async () => {
      await proxy?.stop();
      await upstream?.close();
    });

    async function echoed(door: Door, path: string, options: Parameters<typeof ask>[3] = {}): Promise<Echo> {
      const reply = await ask(proxy, door, path, options);
      expect(reply.status).toBe(200);
      return JSON.parse(reply.body) as Echo;
    }

    it.each(openRoutes)('%s: forwards %s byte for byte', async (door, path) => {
      expect((await echoed(door, path)).url).toBe(path);
    });

    it.each(closedRoutes)('%s: answers 404 for %s without a request to a service', async (door, path) => {
      const reply = await ask(proxy, door, path);
      expect(reply.status).toBe(404);
      expect(reply.body).not.toContain('"headers"');
    });

    it.each([
      '/docs/../metrics',
      '/metrics/..',
      '/metrics/%2e%2e',
      '/api/ussd/debug/..%2f',
      '/api/ussd/debug/.',
      '/./metrics',
    ])('a path with a dot segment is refused: %s', async (path) => {
      for (const door of doors) expect((await ask(proxy, door, path)).status).toBe(400);
    });

    it("replaces a caller's headers about its own origin", async () => {
      const forged = '203.0.113.9';
      const { headers } = await echoed('ussd', '/api/ussd', {
        headers: {
          'x-forwarded-for': `${forged}, ${forged}`,
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-port': '4711',
          'x-forwarded-prefix': '/evil',
          'x-real-ip': forged,
          forwarded: `for=${forged};host=evil.example`,
        },
      });
      expect(headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': expect.stringContaining('ussd.example.org'),
        'x-real-ip': '127.0.0.1',
      });
      expect(headers).not.toHaveProperty('forwarded');
      expect(JSON.stringify(headers)).not.toMatch(/203\.0\.113\.9|evil|4711/);
    });

    it('logs requests, without their queries and headers', () => logsNoSecret(proxy));

    it('forwards a valid X-Request-Id, and replaces any other', async () => {
      const given = await echoed('oracle', '/', { headers: { 'x-request-id': 'client-1:a.b_c' } });
      expect(given.headers['x-request-id']).toBe('client-1:a.b_c');
      for (const bad of ['a b', 'x'.repeat(129), 'a"b']) {
        const replaced = await echoed('oracle', '/', { headers: { 'x-request-id': bad } });
        expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{32,36}$/);
      }
      expect((await echoed('oracle', '/')).headers['x-request-id']).toMatch(/^[0-9a-f-]{32,36}$/);
    });

    it('forwards a token of 15 KiB in its header', async () => {
      const token = `Bearer ${'a'.repeat(15 * 1024)}`;
      expect(
        (await echoed('oracle', '/sessions', { headers: { authorization: token } })).headers['authorization'],
      ).toBe(token);
    });

    it.each(['oracle', 'chain'] as const)(
      '%s: forwards the first event of a stream before the stream ends',
      async (door) => {
        const { events, ended } = await openStream(proxy, door, { 'accept-encoding': 'gzip, br' });
        expect(await events.next()).toContain('"first"');
        expect(ended()).toBe(false);
        upstream.finishStreams();
        expect(await events.next()).toContain('"last"');
      },
    );

    it.each([
      ['oracle', '/ws?sessionId=s1'],
      ['oracle', '/socket.io/?EIO=4&transport=websocket'],
      ['chain', '/proto/watch'],
      ['playground', '/oracle/socket.io/?EIO=4&transport=websocket'],
    ] as const)('%s: upgrades %s to WebSocket', async (door, path) => {
      const socket = await upgrade(proxy, door, path, 'websocket');
      socket.write('both ways');
      const [echo] = (await once(socket, 'data')) as [Buffer];
      expect(String(echo)).toBe('both ways');
      socket.destroy();
    });

    it.each([
      ['ussd', 4 * 1024 + 1, 200],
      ['ussd', 64 * 1024, 413],
      ['oracle', 256 * 1024, 200],
      ['oracle', 1024 * 1024, 413],
      ['chain', 1024 * 1024, 413],
    ] as const)('%s: answers a body of %d bytes with %d', async (door, bytes, status) => {
      const path = door === 'ussd' ? '/api/ussd' : '/';
      const reply = await ask(proxy, door, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': String(bytes) },
        body: 'x'.repeat(bytes),
      });
      expect(reply.status).toBe(status);
      if (status === 200) expect((JSON.parse(reply.body) as Echo).bodyBytes).toBe(bytes);
    });
  });

  describe.skipIf(program === undefined)(`the ${name} configuration in front of services that are down`, () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      proxy = await start(program ?? name, everyDoor(`127.0.0.1:${await freePort()}`));
    });
    afterAll(() => proxy?.stop());

    it('answers a phone with a text, with a status that keeps the call', async () => {
      const reply = await ask(proxy, 'ussd', '/api/ussd', { method: 'POST' });
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(reply.body).toBe('END Service temporarily unavailable. Please try again later.');
    });

    it('logs failures, without queries and headers', () => logsNoSecret(proxy));

    it('keeps the status of errors on other paths than hops', async () => {
      expect((await ask(proxy, 'ussd', '/health')).status).toBeGreaterThanOrEqual(500);
    });

    it('answers in the error format of the oracle and of the chain gateway', async () => {
      const oracle = await ask(proxy, 'oracle', '/sessions');
      expect(oracle.headers['content-type']).toContain('application/json');
      expect(JSON.parse(oracle.body)).toMatchObject({ statusCode: oracle.status });
      expect(oracle.status).toBeGreaterThanOrEqual(502);
      const chain = await ask(proxy, 'chain', '/proto/token/params');
      expect(chain.headers['content-type']).toContain('application/json');
      expect(JSON.parse(chain.body)).toEqual({ code: 14, message: expect.any(String), details: [] });
    });
  });
}

const caddy = findProgram('caddy');

describe.skipIf(caddy === undefined)('the unchanged Caddyfile', () => {
  it('is valid without any variable', () => {
    const run = spawnSync(caddy ?? 'caddy', ['validate', '--config', caddyfile, '--adapter', 'caddyfile'], {
      encoding: 'utf8',
    });
    expect(run.stdout + run.stderr).toContain('Valid configuration');
    expect(run.status).toBe(0);
  });
});

async function logsNoSecret(proxy: RunningProxy): Promise<void> {
  const headers = { 'x-aggregator-secret': 'hush-1', authorization: 'Bearer hush-2' };
  await ask(proxy, 'ussd', '/api/ussd/comviva?secret=hush-3&MSISDN=260971234567', { headers });
  await vi.waitFor(() => expect(proxy.log()).toContain('/api/ussd/comviva'));
  expect(proxy.log()).not.toMatch(/hush|260971234567/);
}

function everyDoor(address: string): Upstreams {
  const both = [address, address] as const;
  return { ussd: both, oracle: both, chain: both, playground: both };
}

/** Opens `/stream` of a service; `next()` is the next piece that arrives. */
async function openStream(proxy: RunningProxy, door: Door, headers: Record<string, string>) {
  const call = request(target(proxy, door, '/stream', { headers }));
  call.end();
  const [response] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
  expect(response.headers['content-encoding']).toBeUndefined();
  const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]();
  const next = async () => String((await pieces.next()).value);
  return { events: { next }, ended: () => response.complete };
}

async function upgrade(proxy: RunningProxy, door: Door, path: string, protocol: string): Promise<Duplex> {
  const call = request(target(proxy, door, path, { headers: { connection: 'Upgrade', upgrade: protocol } }));
  call.end();
  const [, socket] = (await once(call, 'upgrade')) as [unknown, Duplex];
  return socket;
}
