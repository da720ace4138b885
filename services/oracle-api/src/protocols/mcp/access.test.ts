import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { authOf, listening } from '../../sockets/sockets.fixture.js';

type Options = Parameters<typeof listening>[0];

/** Sends `tools/list` with these headers and a valid token; resolves with the status. `fetch` does not set `Host`. */
async function statusWith(headers: Record<string, string>, options: Options = {}): Promise<number | undefined> {
  const service = await listening({ protocols: ['mcp'], ...options });
  onTestFinished(() => service.close());
  const { invocation } = await authOf('a');
  return new Promise((resolve, reject) => {
    const sent = request(`${service.base}/mcp`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${invocation}`, 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  });
}

const site = 'https://app.example';

it.each<[string, Record<string, string>, Options, number]>([
  ['a client that is not a browser', {}, {}, 200],
  ['a page of this machine', { origin: 'http://localhost:3003' }, {}, 200],
  ['a page of this machine by its IPv6 address', { origin: 'http://[::1]:3003' }, {}, 200],
  ['a page of another site, although CORS_ORIGIN is *', { origin: site }, {}, 403],
  ['a page with the origin null', { origin: 'null' }, {}, 403],
  ['a page of an allowed origin', { origin: site }, { corsOrigins: [site] }, 200],
  [
    'a page of an origin with an allowed prefix',
    { origin: 'https://app.example.evil.example' },
    { corsOrigins: [site] },
    403,
  ],
  [
    'in production a page of this machine',
    { origin: 'http://localhost:3003' },
    { corsOrigins: [site], allowsLoopbackPages: false },
    403,
  ],
  ['in production any page if CORS_ORIGIN is *', { origin: site }, { allowsLoopbackPages: false }, 200],
  ['a page after DNS rebinding to this machine', { host: 'evil.example:3001' }, {}, 403],
  ['a request by a proxy on this machine', { host: 'oracle.example' }, { trustProxy: ['127.0.0.1/32'] }, 200],
])('%s gets the correct status', async (_who, headers, options, status) => {
  expect(await statusWith(headers, options)).toBe(status);
});
