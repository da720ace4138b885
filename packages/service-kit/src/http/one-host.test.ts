import { rawRequest } from '@mlango/test-services/raw-request';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../logging/index.js';
import { createMetrics } from '../metrics/metrics.js';
import { createHttpApp } from './create-http-app.js';
import { Readiness } from './health.js';
import type { HttpApp } from './http-app-type.js';

let app: HttpApp;
afterEach(() => app.close());

/** An app with a route that has its own error format, as telecom gateways do. */
async function listen(): Promise<string> {
  app = await createHttpApp({
    version: '1.2.3',
    logger: createLogger({ service: 'test', level: 'silent' }),
    trustProxy: false,
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'test', version: '1.2.3' }),
    metricsAccess: { open: true },
    renderError: (error, request) =>
      request === undefined ? { body: { statusCode: error.status } } : { body: 'END Invalid input.', status: 200 },
  });
  app.all('/hop', () => 'CON Welcome');
  return app.listen({ host: '127.0.0.1', port: 0 });
}

describe('a request with two Host headers', () => {
  it.each([
    ['different ones', ['Host: a.example', 'Host: b.example']],
    ['the same one twice', ['Host: a.example', 'Host: a.example']],
    ['in another case, among others', ['HOST: a.example', 'Accept: */*', 'hOsT: b.example']],
    ['an empty one', ['Host: a.example', 'Host:']],
    ['three of them', ['Host: a', 'Host: b', 'Host: c']],
  ])('is 400 with %s on every route, and the connection ends', async (_name, hosts) => {
    const base = await listen();
    for (const line of ['GET /hop', 'POST /hop', 'OPTIONS /hop', 'GET /nowhere', 'GET /health/live', 'GET /metrics']) {
      const reply = await rawRequest(base, [`${line} HTTP/1.1`, ...hosts, 'Content-Length: 0']);
      expect(reply, line).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(reply).toMatch(/\r\nconnection: close\r\n/i);
      expect(reply).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
      expect(reply.endsWith('{"statusCode":400}'), reply).toBe(true);
    }
  });

  it('is served with one, or with headers that only look like one', async () => {
    const base = await listen();
    const lines = ['GET /hop HTTP/1.1', 'Host: a.example', 'X-Host: b', 'Hosts: c', 'Connection: close'];
    expect(await rawRequest(base, lines)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await rawRequest(base, ['GET /hop HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});
