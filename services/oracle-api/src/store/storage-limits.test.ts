import { describe, expect, it } from 'vitest';
import { headersOf, newSession, type TestOptions, testApp } from '../../test/app.fixture.js';

/** Requests of users that are free to create, all from one address by default. */
async function withUsers(options: TestOptions) {
  const { app } = await testApp(options);
  const from = async (letter: string, remoteAddress = '10.0.0.1') => {
    const headers = await headersOf(letter);
    const send = (method: 'POST' | 'PUT', url: string, payload: object | string) =>
      app.inject({ method, url, headers, payload, remoteAddress });
    return { send, sessionId: await newSession(app, headers) };
  };
  return { app, from };
}

describe('the storage of requests', () => {
  it('is bounded in bytes for all users of an address in a day, and not for another address', async () => {
    const { app, from } = await withUsers({ storageBytesPerAddress: 200_000 });
    const upload = async (letter: string, address?: string) => {
      const { send, sessionId } = await from(letter, address);
      return send('POST', `/attachments?sessionId=${sessionId}&filename=a.txt`, 'x'.repeat(90_000));
    };
    expect([(await upload('a')).statusCode, (await upload('b')).statusCode]).toEqual([201, 201]);
    const refused = await upload('c');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600);
    expect((await upload('d', '10.0.0.2')).statusCode).toBe(201);
    await app.close();
  });

  it('is bounded in rows, one for each 16 KiB, however small they are', async () => {
    const { app, from } = await withUsers({ storageBytesPerAddress: 5 * 16_384 });
    const { send } = await from('a');
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await send('POST', '/memories', { content: `Likes tea ${count}` })).statusCode);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    await app.close();
  });

  it('counts a message as the rows of its turn', async () => {
    const { app, from } = await withUsers({ storageBytesPerAddress: 8 * 16_384 });
    const statuses = [];
    for (const letter of ['a', 'b', 'c']) {
      const { send, sessionId } = await from(letter);
      statuses.push((await send('POST', `/messages/${sessionId}`, { message: 'Hello' })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 429]);
    await app.close();
  });

  it.each([
    ['messages', 'POST', (id: string) => `/messages/${id}`, { message: 'Hello' }],
    ['messages', 'POST', () => '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }],
    ['attachment_uploads', 'POST', (id: string) => `/attachments?sessionId=${id}&filename=a.txt`, 'Zuri'],
    ['memories', 'POST', () => '/memories', { content: 'Likes tea.' }],
    ['feedback', 'PUT', (id: string) => `/sessions/${id}/feedback/m`, { rating: 'up' }],
    ['sessions', 'POST', () => '/sessions', {}],
    ['preferences', 'PUT', () => '/user-preferences', { userName: 'Asha' }],
    ['delegations', 'POST', () => '/delegation', { raw: 'x' }],
    ['approval_rules', 'POST', () => '/approvals/always', { says: 'ask', plugin: 'memory', toolName: 'forget' }],
  ] as const)('fails with 503 when the table %s is full, by %s %s', async (table, method, url, payload) => {
    const protocols: TestOptions['protocols'] = ['openai'];
    const { app, from } = await withUsers({ protocols, fullTables: table === 'sessions' ? [] : [table] });
    const { send, sessionId } = await from('a');
    const full = table === 'sessions' ? await withUsers({ fullTables: [table] }) : undefined;
    const reply =
      full === undefined
        ? await send(method, url(sessionId), payload)
        : await full.app.inject({ method, url: url(sessionId), headers: await headersOf('a'), payload });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '60']);
    await Promise.all([app.close(), full?.app.close()]);
  });
});
