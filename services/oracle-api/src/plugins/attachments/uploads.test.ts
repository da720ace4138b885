import type { UploadedAttachment } from '@mlango/schemas/oracle-attachments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import { smallPdf } from './small-pdf.fixture.js';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20)]);
const limitBytes = 5_000;

describe('uploads', () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await createTestOracle({
      env: { ATTACHMENT_MAX_BYTES: `${limitBytes}`, ATTACHMENT_USER_BYTES: '12000' },
    });
  });
  afterAll(() => oracle.close());

  interface Given {
    readonly sessionId: string;
    readonly filename?: string;
    readonly type?: string;
  }
  const upload = (user: TestUser, payload: Buffer | string, { sessionId, filename = 'zuri.txt', type }: Given) =>
    oracle.inject({
      method: 'POST',
      url: '/attachments',
      query: { sessionId, filename },
      headers: { ...user.headers, 'content-type': type ?? 'application/octet-stream' },
      payload,
    });
  const get = (user: TestUser, id: string) => oracle.inject({ url: `/attachments/${id}`, headers: user.headers });
  const remove = (user: TestUser, url: string) => oracle.inject({ method: 'DELETE', url, headers: user.headers });
  async function uploaded(payload: Buffer | string = 'Zuri has four legs', given: Partial<Given> = {}) {
    const user = await oracle.newUser();
    const sessionId = await user.openSession();
    const reply = await upload(user, payload, { sessionId, ...given });
    if (reply.statusCode !== 201) throw new Error(reply.body);
    return { user, sessionId, file: reply.json<UploadedAttachment>() };
  }
  const say = (user: TestUser, sessionId: string, file: object) => {
    const attachments = [{ filename: 'zuri.txt', mimetype: 'text/plain', ...file }];
    const payload = { message: 'What about this', attachments };
    return oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers: user.headers, payload });
  };

  it('reach the model with the message that names them, and are stored by id', async () => {
    const { user, sessionId, file } = await uploaded();
    const { attachmentId, filename, mimetype, size } = file;
    const reply = await say(user, sessionId, { attachmentId, filename, mimetype, size });
    expect(reply.json().message.content).toBe('zuri.txt has 18 characters. It says: Zuri has four legs');
    const { messages } = (await oracle.inject({ url: `/messages/${sessionId}`, headers: user.headers })).json();
    expect(messages[0].attachments).toEqual([{ attachmentId, filename: 'zuri.txt', mimetype: 'text/plain', size: 18 }]);
  });

  it.each([
    ['text', 'a,b', 'text/csv', 'text/plain'],
    ['JSON', '{"a":1}', 'application/json', 'text/plain'],
    ['HTML', '<script>alert(1)</script>', 'text/html', 'text/plain'],
    ['a PDF', smallPdf('hi'), 'text/plain', 'application/pdf'],
    ['an image', png, 'image/svg+xml', 'image/png'],
  ])('are %s by their bytes, and are returned unchanged, for download only', async (_what, bytes, type, mimetype) => {
    const { user, file } = await uploaded(bytes, { type, filename: `naïve "(1)*'\u202e.txt` });
    expect(file).toMatchObject({ mimetype, size: Buffer.from(bytes).length });
    const reply = await get(user, file.attachmentId);
    expect(reply.rawPayload.equals(Buffer.from(bytes))).toBe(true);
    expect(reply.headers).toMatchObject({
      'content-type': mimetype === 'text/plain' ? 'text/plain; charset=utf-8' : mimetype,
      'content-disposition': "attachment; filename*=UTF-8''na%C3%AFve%20%22%281%29%2A%27%E2%80%AE.txt",
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('are refused if they are empty, too large, unreadable or have an invalid name', async () => {
    const user = await oracle.newUser();
    const sessionId = await user.openSession();
    for (const [status, payload, filename] of [
      [400, '', 'a.txt'],
      [400, 'a', ''],
      [400, 'a', 'a\u0000b'],
      [400, 'a', 'x'.repeat(256)],
      [413, 'x'.repeat(limitBytes + 1), 'a.txt'],
      [415, Buffer.from([0, 1, 2]), 'a.txt'],
    ] as const) {
      const reply = await upload(user, payload, { sessionId, filename });
      expect([reply.statusCode, reply.json().statusCode]).toEqual([status, status]);
    }
  });

  it('have the documented limits', async () => {
    const user = await oracle.newUser();
    const reply = await oracle.inject({ url: '/attachments', headers: user.headers });
    expect(reply.json()).toEqual({ maxBytes: limitBytes, kinds: ['text', 'image', 'pdf', 'audio'] });
  });

  it('are limited per user until some are deleted', async () => {
    const { user, sessionId, file } = await uploaded('x'.repeat(limitBytes));
    const next = () => upload(user, 'x'.repeat(limitBytes), { sessionId });
    expect([(await next()).statusCode, (await next()).statusCode]).toEqual([201, 409]);
    expect((await remove(user, `/attachments/${file.attachmentId}`)).statusCode).toBe(200);
    expect((await next()).statusCode).toBe(201);
  });

  it('are visible to their owner only', async () => {
    const { sessionId, file } = await uploaded();
    const bo = await oracle.newUser();
    expect((await upload(bo, 'a', { sessionId })).json()).toMatchObject({ message: 'Session not found' });
    expect((await get(bo, file.attachmentId)).json()).toMatchObject({ message: 'Attachment not found' });
    expect((await remove(bo, `/attachments/${file.attachmentId}`)).statusCode).toBe(404);
    const reply = await say(bo, await bo.openSession(), { attachmentId: file.attachmentId });
    expect(reply.json().message.content).toContain('it does not exist, or no longer exists');
  });

  it('belong to one session, and are not visible in others', async () => {
    const { user, file } = await uploaded();
    const reply = await say(user, await user.openSession(), { attachmentId: file.attachmentId });
    expect(reply.json().message.content).toContain('it does not exist, or no longer exists');
  });

  it('are deleted with their session and with their user', async () => {
    const { user, sessionId, file } = await uploaded();
    await remove(user, `/sessions/${sessionId}`);
    expect((await get(user, file.attachmentId)).statusCode).toBe(404);
    const other = await uploaded();
    const receipt = (await remove(other.user, '/account')).json();
    expect(receipt.deleted).toMatchObject({ 'attachments/uploads': 1 });
    expect((await get(other.user, other.file.attachmentId)).statusCode).toBe(404);
  });

  it('expire no later than messages', async () => {
    const lasting = async (env: Record<string, string>) => {
      const other = await createTestOracle({ env });
      const user = await other.newUser();
      const reply = await other.inject({
        method: 'POST',
        url: '/attachments',
        query: { sessionId: await user.openSession(), filename: 'zuri.txt' },
        headers: { ...user.headers, 'content-type': 'text/plain' },
        payload: 'Zuri',
      });
      await other.close();
      const { createdAt, expiresAt } = reply.json<UploadedAttachment>();
      return (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
    };
    expect(await lasting({ MESSAGE_RETENTION_DAYS: '7' })).toBe(7);
    expect(await lasting({ MESSAGE_RETENTION_DAYS: '700' })).toBe(90);
  });

  it('are referenced only by an id', async () => {
    const { user, sessionId, file } = await uploaded();
    for (const wrong of [{}, { attachmentId: '' }, { attachmentId: file.attachmentId, mxcUri: 'mxc://a/b' }]) {
      expect((await say(user, sessionId, wrong)).json()).toMatchObject({ statusCode: 400 });
    }
  });
});
