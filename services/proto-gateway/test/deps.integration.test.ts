import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisUrl } from '@mlango/test-services/real-services';
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

describe.skipIf(redisUrl === undefined)('replicas with one Redis', () => {
  it('share rate limits', async () => {
    const env = { REDIS_URL: redisUrl ?? '', RATE_LIMIT_MAX: '2' };
    const [one, two] = [await startReplica(env), await startReplica(env)];
    const remoteAddress = caller();
    const send = async (app: typeof one) =>
      (await app.inject({ url: '/proto/token/params', remoteAddress })).statusCode;
    expect([await send(one), await send(two), await send(one)]).toEqual([503, 503, 429]);
  });

  it('count the usage of a key with a plan over all replicas', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    const [name, path] = [`tenant-${randomBytes(4).toString('hex')}`, join(folder, 'keys.json')];
    const sha256 = createHash('sha256').update(name).digest('hex');
    writeFileSync(path, JSON.stringify({ keys: [{ name, sha256, requestsPerMinute: 3 }] }));
    closing.push(async () => rmSync(folder, { recursive: true }));
    const env = { REDIS_URL: redisUrl ?? '', GATEWAY_AUTH: 'api-key', GATEWAY_KEYS: path };
    const [one, two] = [await startReplica(env), await startReplica(env)];
    const send = (app: typeof one, url = '/proto/token/params') =>
      app.inject({ url, headers: { 'x-api-key': name }, remoteAddress: caller() });
    expect([(await send(one)).statusCode, (await send(two)).statusCode]).toEqual([503, 503]);
    expect((await send(one, '/usage')).json()).toMatchObject({ key: name, requests: { used: 3, limit: 3 } });
    expect((await send(two)).statusCode).toBe(429);
  });
});
