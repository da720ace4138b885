import { PassThrough, pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../../test/app.fixture.js';
import type { SharedPool } from '../../shared-pools.js';
import { countedUpload, openUploadPool } from './attachment-pools.js';
import { attachmentSettings } from './settings.js';

const KIBIBYTE = 1024;

function start(pool: SharedPool, user: string, address: string) {
  const body = new PassThrough({ highWaterMark: 10_000_000 });
  const { counted, release } = countedUpload(pool, { user, address });
  const received = buffer(pipeline(body, counted, () => undefined)).catch((error: unknown) => error);
  return { body, received, release };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('bytes of uploads', () => {
  it('count as they arrive, regardless of the announced length, and are released once', async () => {
    const pool = openUploadPool((options) => new FairSemaphore(options), attachmentSettings.parse({}));
    const { body, received, release } = start(pool, 'a', '192.0.2.1');
    expect(pool.taken).toBe(0);
    body.write(Buffer.alloc(10));
    await settled();
    expect(pool.taken).toBe(64 * KIBIBYTE);
    body.end(Buffer.alloc(64 * KIBIBYTE));
    expect(await received).toHaveLength(64 * KIBIBYTE + 10);
    expect(pool.taken).toBe(128 * KIBIBYTE);
    for (const _ of [1, 2]) release();
    expect(pool.taken).toBe(0);
  });

  it('end the upload with 429 at the share of an address, across its users, and leave the shares of other addresses', async () => {
    const shares = { user: 256 * KIBIBYTE, address: 256 * KIBIBYTE };
    const pool = new FairSemaphore({ name: 'upload_bytes', total: 512 * KIBIBYTE, shares });
    const first = start(pool, 'a', '192.0.2.1');
    first.body.write(Buffer.alloc(200 * KIBIBYTE));
    await settled();
    const second = start(pool, 'b', '192.0.2.1');
    second.body.write(Buffer.alloc(10));
    expect(await second.received).toMatchObject({ code: 'rate_limited', limiter: 'address' });
    const other = start(pool, 'c', '192.0.2.2');
    other.body.end(Buffer.alloc(200 * KIBIBYTE));
    expect(await other.received).toHaveLength(200 * KIBIBYTE);
  });

  it('are answered with 429 when the share of an address is used up, and accepted again when others are stored', async () => {
    const { app, deps } = await testApp();
    const pool = deps.poolList.find(({ name }) => name === 'attachments_upload_bytes');
    const headers = await headersOf('a');
    const query = { sessionId: await newSession(app, headers), filename: 'a.txt' };
    const upload = () => app.inject({ method: 'POST', url: '/attachments', query, headers, payload: 'Zuri' });
    const held = ['x', 'y'].map((user) => pool?.tryAcquire({ user, address: '127.0.0.1' }, 32 * 1024 * KIBIBYTE));
    const refused = await upload();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
    for (const permit of held) if (permit !== undefined && 'release' in permit) permit.release();
    expect((await upload()).statusCode).toBe(201);
    expect(pool?.taken).toBe(0);
    await app.close();
  });

  it('fit for one file of the largest size, for any size', () => {
    for (const maxBytes of [1_024, 50 * 1024 * KIBIBYTE]) {
      const settings = attachmentSettings.parse({ ATTACHMENT_MAX_BYTES: String(maxBytes) });
      const pool = openUploadPool((options) => new FairSemaphore(options), settings);
      expect(pool.shareOf('user')).toBeGreaterThan(maxBytes);
      expect(pool.shareOf('address')).toBeLessThan(pool.total);
    }
  });
});
