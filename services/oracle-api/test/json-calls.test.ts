import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { jsonError } from '@mlango/schemas/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { authOf, listening, type Service } from '../src/sockets/sockets.fixture.js';
import { CallError, type PublishedClient, publishedClient } from './published-client.fixture.js';

let service: Service;
let client: PublishedClient;
beforeAll(async () => {
  service = await listening({ activeTurns: 1 });
  client = publishedClient(service.base, await authOf('a'));
});
afterAll(() => service.close());

const errorOf = async (call: Promise<unknown>): Promise<CallError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error('not refused', { cause: error });
  return error;
};

describe('a call with the JSON content type and an empty body', () => {
  it('is accepted on every route without required fields', async () => {
    for (const body of [undefined, '']) {
      const { sessionId } = await client.call<{ sessionId: string }>('POST', '/sessions', body);
      expect(await client.call('DELETE', `/sessions/${sessionId}`, body)).toEqual({
        message: 'Session deleted successfully',
      });
      expect(await client.call('DELETE', '/delegation', body)).toEqual({ ok: true });
    }
  });

  it('is accepted with a charset, with another type, and without any', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/x-www-form-urlencoded',
      '',
    ]) {
      const headers = { ...client.auth, ...(type === '' ? {} : { 'content-type': type }) };
      const reply = await fetch(`${service.base}/sessions`, { method: 'POST', headers });
      expect([type, reply.status]).toEqual([type, 201]);
    }
  });
});

describe('a success', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/health'],
    ['GET', '/models'],
    ['GET', '/sessions'],
    ['GET', '/user-preferences'],
    ['GET', '/delegation'],
    ['DELETE', '/delegation'],
    ['POST', '/messages/abort', { sessionId: 'absent' }],
    ['GET', '/messages/absent'],
    ['GET', '/sessions/absent/messages'],
    ['GET', '/sessions/absent/run'],
    ['GET', '/sessions/absent/feedback'],
    ['GET', '/docs/json'],
  ])('has a JSON body: %s %s', async (method, path, body?: object) => {
    const reply = await client.reply(method, path, body);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
    await reply.json();
  });
});

describe('an error', () => {
  it.each([
    [400, 'POST', '/messages/abort', {}],
    [400, 'POST', '/messages/x', '{"message":'],
    [404, 'GET', '/calls/start'],
    [404, 'PATCH', '/sessions/x', { title: 'mine' }],
    [404, 'DELETE', '/sessions/absent'],
    [404, 'POST', '/messages/absent', { message: 'hi' }],
    [404, 'POST', '/messages/absent', { message: 'hi', stream: true }],
    [404, 'GET', '/runs/absent'],
    [404, 'GET', '/ws'],
    [413, 'POST', '/messages/x', { message: 'x'.repeat(262_144) }],
  ])('%d repeats its status in its body: %s %s', async (status, method, path, body?: unknown) => {
    const { body: found } = await errorOf(client.call(method, path, body));
    expect(jsonError.parse(found).statusCode).toBe(status);
  });

  it('415 repeats its status in its body, and names the accepted type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const reply = await client.reply('POST', '/messages/x', '{"message":"hi"}', { 'content-type': type });
      const { statusCode, message } = jsonError.parse(await reply.json());
      expect([statusCode, message]).toEqual([415, expect.stringContaining('application/json')]);
    }
  });

  it('for an invalid HTTP request is JSON too, with a request id', async () => {
    const socket = connect(Number(new URL(service.base).port), '127.0.0.1');
    socket.write('BREW / HTTP/1.1\r\n\r\n');
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nX-Request-Id: [\w-]+\r\n/);
    expect(jsonError.parse(JSON.parse(body)).statusCode).toBe(400);
  });

  it('names the invalid fields', async () => {
    const fieldsOf = async (body: unknown) => (await errorOf(client.call('POST', '/messages/x', body))).body['fields'];
    expect(await fieldsOf({ message: '', stream: 1 })).toEqual(['message', 'stream']);
    expect(await fieldsOf([])).toBeUndefined();
  });

  it('401 repeats its status in its body, for calls and streams', async () => {
    const invalidClient = publishedClient(service.base, { invocation: 'x' });
    for (const body of [{ message: 'hi' }, { message: 'hi', stream: true }]) {
      expect((await errorOf(invalidClient.call('POST', '/messages/x', body))).statusCode).toBe(401);
    }
  });

  it('409 repeats its status in its body', async () => {
    const sessionId = await client.newSession();
    const send = () => client.call('POST', `/messages/${sessionId}`, { message: 'hi', requestId: 'once' });
    await send();
    expect((await errorOf(send())).statusCode).toBe(409);
  });

  it('429 repeats its status in its body, and needs more than 120 calls in a minute', async () => {
    const { RATE_LIMIT_MAX } = readConfig({}).http;
    expect(RATE_LIMIT_MAX).toBeGreaterThanOrEqual(120);
    const limited = await listening({ rateLimitMax: RATE_LIMIT_MAX });
    const busy = publishedClient(limited.base, await authOf('a'));
    for (let count = 0; count < RATE_LIMIT_MAX; count += 1) await busy.call('GET', '/sessions');
    const refused = await busy.reply('GET', '/sessions');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
    await limited.close();
  });
});

describe('X-Request-Id', () => {
  it('is on every response, and readable by pages', async () => {
    const sessionId = await client.newSession();
    const replies = [
      client.reply('GET', '/'),
      client.reply('OPTIONS', '/sessions'),
      client.reply('GET', '/no/such'),
      client.reply('GET', '/docs'),
      client.reply('POST', `/messages/${sessionId}`, { message: 'hi', stream: true }),
      client.reply('POST', '/messages/x', '{'),
      fetch(`${service.base}/sessions`),
    ];
    for (const reply of await Promise.all(replies)) {
      expect(reply.headers.get('x-request-id'), reply.url).toMatch(/^[\w.:-]{1,128}$/);
      await reply.text();
    }
    expect((await client.reply('OPTIONS', '/sessions')).status).toBe(204);
    const fromPage = await client.reply('GET', '/sessions', undefined, { origin: 'https://app.example' });
    expect(fromPage.headers.get('access-control-expose-headers')).toBe(
      'X-Request-Id, X-Run-Id, X-Run-Status, Retry-After',
    );
  });

  it.each([
    ['x'.repeat(128), true],
    ['0:a.B_c-9', true],
    ['x'.repeat(129), false],
    ['with blank', false],
    ['a,b', false],
  ])('is the caller’s own if it is short and valid: %s', async (id, isAccepted) => {
    const reply = await client.reply('GET', '/sessions', undefined, { 'x-request-id': id });
    expect(reply.headers.get('x-request-id') === id).toBe(isAccepted);
  });
});

describe('a session id', () => {
  it('needs no escaping in a path, and is never `abort`', async () => {
    const sessionId = await client.newSession();
    expect(sessionId).toMatch(/^[A-Za-z0-9_$-]+$/);
    expect(encodeURIComponent(sessionId)).toBe(sessionId);
    expect((await errorOf(client.call('POST', '/messages/abort', { message: 'hi' }))).statusCode).toBe(400);
  });
});
