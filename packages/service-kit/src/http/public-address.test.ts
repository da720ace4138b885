import { describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { createHttpApp } from './create-http-app.js';
import { Readiness } from './health.js';

const proxy = '10.0.0.1';
const stranger = '198.51.100.7';

async function addressOf(
  options: { readonly publicUrl?: string; readonly trustProxy?: string[] },
  request: { readonly from?: string; readonly prefix?: string; readonly host?: string },
) {
  const app = await createHttpApp({
    version: '1',
    logger: createLogger({ service: 'test', level: 'silent' }),
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '1' }),
    metricsAccess: { open: true },
    trustProxy: options.trustProxy ?? false,
    publicUrl: options.publicUrl,
  });
  app.get('/address', async ({ basePath, publicUrl }) => ({ basePath, publicUrl }));
  const response = await app.inject({
    url: '/address',
    remoteAddress: request.from ?? proxy,
    headers: {
      host: 'api.example',
      ...(request.prefix === undefined ? {} : { 'x-forwarded-prefix': request.prefix }),
    },
  });
  return response.json();
}

describe('the public address of a request', () => {
  it('is the host that the request names', async () => {
    expect(await addressOf({}, {})).toEqual({ basePath: '', publicUrl: 'http://api.example' });
  });

  it('takes a prefix from a trusted proxy', async () => {
    const found = await addressOf({ trustProxy: ['10.0.0.0/8'] }, { prefix: '/query/chain/' });
    expect(found).toEqual({ basePath: '/query/chain', publicUrl: 'http://api.example/query/chain' });
  });

  it.each([
    [{ trustProxy: ['10.0.0.0/8'] }, stranger],
    [{}, proxy],
  ])('ignores the prefix of a client that is not a trusted proxy', async (options, from) => {
    expect(await addressOf(options, { from, prefix: '/chain' })).toMatchObject({ basePath: '' });
  });

  it.each(['chain', '//evil.example', '/a/../b', '/a b', '/a"', '/a, /b', '/%2e', `/${'a'.repeat(300)}`])(
    'ignores the prefix %s, which is not a plain path',
    async (prefix) => {
      expect(await addressOf({ trustProxy: ['10.0.0.0/8'] }, { prefix })).toMatchObject({ basePath: '' });
    },
  );

  it('is PUBLIC_URL if set, also where the request names another address', async () => {
    const options = { publicUrl: 'https://api.example/chain/', trustProxy: ['10.0.0.0/8'] };
    expect(await addressOf(options, { prefix: '/other' })).toEqual({
      basePath: '/chain',
      publicUrl: 'https://api.example/chain',
    });
  });
});
