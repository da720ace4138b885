import { randomBytes } from 'node:crypto';
import { rawRequest } from '@mlango/test-services/raw-request';
import { afterEach, describe, expect, it } from 'vitest';
import { configuredApp } from './support/configured-app.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startReplica(env: Record<string, string>) {
  const app = await configuredApp({ GRPC_TARGETS: '127.0.0.1:1', ...env });
  closing.push(() => app.close());
  return app;
}

/** An address of its own for each run, since limits outlive a test. */
const caller = () => `2001:db8:${[1, 2, 3].map(() => Math.floor(Math.random() * 65_536).toString(16)).join(':')}::1`;

describe('openDeps', () => {
  it('starts without node and Redis, with limits in the process', async () => {
    const app = await startReplica({ REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_MAX: '1' });
    const remoteAddress = caller();
    expect((await app.inject({ url: '/proto/token/params', remoteAddress })).statusCode).toBe(503);
    expect((await app.inject({ url: '/proto/token/params', remoteAddress })).statusCode).toBe(429);
  });

  it('closes the metrics to the public in production', async () => {
    const app = await startReplica({ NODE_ENV: 'production' });
    expect((await app.inject('/metrics')).statusCode).toBe(404);
    const guarded = await startReplica({ NODE_ENV: 'production', METRICS_TOKEN: randomBytes(32).toString('hex') });
    expect((await guarded.inject('/metrics')).statusCode).toBe(401);
  });
});

it.each(['/', '/proto/token/params', '/openapi.json'])(
  'a request for %s with two Host headers is 400 in the shape of all errors',
  async (path) => {
    const app = await startReplica({});
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const reply = await rawRequest(base, [`GET ${path} HTTP/1.1`, 'Host: a', 'Host: b']);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ message: 'A request has one Host header' });
  },
);

describe('the description of the routes', () => {
  const paths = ['/openapi.json', '/docs', '/docs/', '/docs/json', '/docs/static/swagger-ui.css'];

  it('exists in production, with a link in the index', async () => {
    const app = await startReplica({ NODE_ENV: 'production' });
    for (const path of paths) expect((await app.inject(path)).statusCode, path).toBeLessThan(400);
    expect((await app.inject('/')).json()).toMatchObject({ documentation: '/docs', openapi: '/openapi.json' });
  });

  it('is removed by DOCS=off, with its links', async () => {
    const app = await startReplica({ DOCS: 'off' });
    for (const path of paths) expect((await app.inject(path)).statusCode, path).toBe(404);
    const index = await app.inject('/');
    expect(index.statusCode).toBe(200);
    expect(index.body).not.toMatch(/docs|openapi/);
    expect((await app.inject('/proto/token/params')).statusCode).toBe(503);
  });
});
