import { sessionRecord } from '@mlango/schemas/oracle-sessions';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, newSession, oracle, testApp } from '../../test/app.fixture.js';

let app: HttpApp;
let asha: Record<string, string>;
let bo: Record<string, string>;
beforeAll(async () => {
  ({ app } = await testApp());
  asha = await headersOf('a');
  bo = await headersOf('b');
});
afterAll(() => app.close());

describe('POST /sessions', () => {
  it('answers 201 with the complete record', async () => {
    const reply = await app.inject({ method: 'POST', url: '/sessions', headers: asha });
    expect(reply.statusCode).toBe(201);
    const record = sessionRecord.strict().parse(reply.json());
    expect(record).toMatchObject({
      title: 'Untitled',
      oracleName: oracle.name,
      oracleDid: oracle.did,
      oracleEntityDid: oracle.entityDid,
    });
    expect(record.createdAt).toBe(record.lastUpdatedAt);
  });

  it('accepts the JSON content type with an empty body, and ignores a body', async () => {
    const headers = { ...asha, 'content-type': 'application/json' };
    expect((await app.inject({ method: 'POST', url: '/sessions', headers, payload: '' })).statusCode).toBe(201);
    expect((await app.inject({ method: 'POST', url: '/sessions', headers, payload: { a: 1 } })).statusCode).toBe(201);
  });

  it('stores the Matrix room of the body, and returns it with the session', async () => {
    const post = (payload: object) => app.inject({ method: 'POST', url: '/sessions', headers: asha, payload });
    const created = (await post({ roomId: '!abc:example.org' })).json<{ sessionId: string }>();
    expect(sessionRecord.strict().parse(created)).toMatchObject({ roomId: '!abc:example.org' });
    const { sessions } = (await app.inject({ url: '/sessions', headers: asha })).json<{ sessions: unknown[] }>();
    expect(sessions).toContainEqual(created);
    for (const roomId of ['#name:example.org', '!', `!${'a'.repeat(255)}`, '!a\u0000b', 7]) {
      const refused = await post({ roomId });
      expect(refused.statusCode).toBe(400);
      expect(refused.json()).toMatchObject({ statusCode: 400, message: expect.stringContaining('roomId') });
    }
  });

  it('answers 409 at the maximum per user until one is deleted', async () => {
    const { app: small } = await testApp({ sessionsPerUser: 3 });
    const create = (headers: Record<string, string>) => small.inject({ method: 'POST', url: '/sessions', headers });
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(asha)));
    const [created = [], refused = []] = [201, 409].map((status) =>
      replies.filter((reply) => reply.statusCode === status),
    );
    expect([created.length, refused.length]).toEqual([3, 7]);
    expect(refused[0]?.json()).toEqual({
      statusCode: 409,
      error: 'Conflict',
      message: 'You have 3 sessions, the maximum for one user: delete one to create another',
    });
    expect((await create(bo)).statusCode).toBe(201);
    const { sessionId } = created[0]?.json<{ sessionId: string }>() ?? { sessionId: '' };
    await small.inject({ method: 'DELETE', url: `/sessions/${sessionId}`, headers: asha });
    expect([(await create(asha)).statusCode, (await create(asha)).statusCode]).toEqual([201, 409]);
    await small.close();
  });

  it('creates ids that need no escaping in a path', async () => {
    for (let i = 0; i < 20; i++) expect(await newSession(app, asha)).toMatch(/^[A-Za-z0-9_$-]+$/);
  });
});

describe('GET /sessions', () => {
  it('lists only sessions of the caller, newest activity first, with the total', async () => {
    const carol = await headersOf('c');
    const ids = [await newSession(app, carol), await newSession(app, carol), await newSession(app, carol)];
    const list = async (query: string) => (await app.inject({ url: `/sessions${query}`, headers: carol })).json();
    await app.inject({ method: 'POST', url: `/messages/${ids[0]}`, headers: carol, payload: { message: 'hi' } });
    const all = await list('');
    expect(all.total).toBe(3);
    expect(all.sessions.map((session: { sessionId: string }) => session.sessionId)[0]).toBe(ids[0]);
    expect((await list('?limit=1&offset=2')).sessions).toHaveLength(1);
    expect((await list('?limit=0')).sessions).toHaveLength(0);
    expect((await list('?limit=-1&offset=x')).sessions).toHaveLength(3);
    expect((await list('?limit=abc')).sessions).toHaveLength(3);
  });

  it('limits a page to 100, by default to 20', async () => {
    const dan = await headersOf('d');
    for (let i = 0; i < 101; i++) await newSession(app, dan);
    const count = async (query: string) =>
      (await app.inject({ url: `/sessions${query}`, headers: dan })).json().sessions.length;
    expect(await count('')).toBe(20);
    expect(await count('?limit=1000')).toBe(100);
  });
});

describe('DELETE /sessions/:sessionId', () => {
  it('deletes the session with its messages', async () => {
    const id = await newSession(app, asha);
    await app.inject({ method: 'POST', url: `/messages/${id}`, headers: asha, payload: { message: 'hi' } });
    const headers = { ...asha, 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'DELETE', url: `/sessions/${id}`, headers, payload: '' });
    expect([reply.statusCode, reply.json()]).toEqual([200, { message: 'Session deleted successfully' }]);
    expect((await app.inject({ url: `/messages/${id}`, headers: asha })).json()).toEqual({ messages: [] });
    const again = await app.inject({ method: 'DELETE', url: `/sessions/${id}`, headers: asha });
    expect([again.statusCode, again.json()]).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'Session not found' },
    ]);
  });
});

describe('the session of another user', () => {
  it('is answered exactly like a missing one on every route', async () => {
    const id = await newSession(app, asha);
    const absent = 'b2c7d0a4-0000-4000-8000-000000000000';
    const calls = (sessionId: string) => [
      { method: 'GET' as const, url: `/messages/${sessionId}` },
      { method: 'POST' as const, url: `/messages/${sessionId}`, payload: { message: 'hi' } },
      { method: 'POST' as const, url: `/messages/${sessionId}`, payload: { message: 'hi', stream: true } },
      { method: 'POST' as const, url: '/messages/abort', payload: { sessionId } },
      { method: 'GET' as const, url: `/sessions/${sessionId}/messages` },
      { method: 'GET' as const, url: `/sessions/${sessionId}/run` },
      { method: 'DELETE' as const, url: `/sessions/${sessionId}` },
    ];
    const foreign = calls(id);
    for (const [index, call] of calls(absent).entries()) {
      const headers = { ...bo, 'x-request-id': 'same' };
      const [one, two] = [await app.inject({ ...call, headers }), await app.inject({ ...foreign[index], headers })];
      expect([two.statusCode, two.body]).toEqual([one.statusCode, one.body]);
      expect({ ...two.headers, date: 0, ratelimit: 0 }).toEqual({ ...one.headers, date: 0, ratelimit: 0 });
      expect(one.headers['content-type']).toContain('application/json');
    }
    expect((await app.inject({ url: '/sessions', headers: bo })).json().total).toBe(0);
    expect((await app.inject({ url: `/messages/${id}`, headers: asha })).statusCode).toBe(200);
  });

  it.each(['%00', '..%2f..', '%F0%9F%91%8B', 'x'.repeat(500), '$id'])(
    'does not exist for an odd id: %#',
    async (id) => {
      expect((await app.inject({ url: `/messages/${id}`, headers: asha })).json()).toEqual({ messages: [] });
      expect((await app.inject({ method: 'DELETE', url: `/sessions/${id}`, headers: asha })).statusCode).toBe(404);
    },
  );
});
