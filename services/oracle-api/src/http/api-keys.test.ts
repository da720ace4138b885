import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../create-test-oracle.js';

let oracle: TestOracle;
let asha: TestUser;
beforeAll(async () => {
  oracle = await createTestOracle({ env: { API_KEYS: 'on', DOORS: 'openai,ai-sdk' } });
  asha = await oracle.newUser();
});
afterAll(() => oracle.close());

interface Made {
  readonly id: string;
  readonly key: string;
}

type Headers = Readonly<Record<string, string>>;
const call = (headers: Headers, method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, payload?: object) =>
  oracle.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });

async function makeKey(scopes: readonly string[], { headers } = asha, more: object = {}): Promise<Made> {
  const reply = await call(headers, 'POST', '/api-keys', { name: 'a script', scopes, ...more });
  expect(reply.statusCode).toBe(201);
  return reply.json<Made>();
}

const forbidden = (message: string) => ({ statusCode: 403, error: 'Forbidden', message });
const beyondKeys = forbidden('Not allowed with an API key: this requires a UCAN of the user');

describe('an API key', { timeout: 60_000 }, () => {
  it('is returned once, and listed without its secret', async () => {
    const user = await oracle.newUser();
    const made = await call(user.headers, 'POST', '/api-keys', {
      name: ' report ',
      scopes: ['read'],
      expiresInDays: 2,
    });
    const { key, ...record } = made.json<{ key: string }>();
    expect(key).toMatch(/^mlk_[\w-]{55}$/);
    expect(record).toEqual({
      id: key.slice(4, 16),
      name: 'report',
      scopes: ['read'],
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const list = await call(user.headers, 'GET', '/api-keys');
    expect(list.json()).toEqual({ keys: [record] });
    expect(list.body).not.toContain(key.slice(16));
    await call(bearer(key), 'GET', '/sessions');
    expect((await call(user.headers, 'GET', '/api-keys')).json()).toEqual({
      keys: [{ ...record, lastUsedAt: expect.any(String) }],
    });
  });

  it('authenticates its user within its scopes', async () => {
    const { key: reads } = await makeKey(['read']);
    const { key: sends } = await makeKey(['send']);
    const sessionId = await asha.openSession();
    expect((await call(bearer(reads), 'GET', `/messages/${sessionId}`)).statusCode).toBe(200);
    expect((await call(bearer(reads), 'POST', `/messages/${sessionId}`, { message: 'hi' })).json()).toEqual(
      forbidden('This API key lacks the scope send'),
    );
    expect((await call(bearer(sends), 'POST', `/messages/${sessionId}`, { message: 'hi' })).statusCode).toBe(200);
    expect((await call(bearer(sends), 'GET', `/messages/${sessionId}`)).json()).toEqual(
      forbidden('This API key lacks the scope read'),
    );
    expect((await call(bearer(reads), 'GET', `/messages/${sessionId}`)).json().messages).toHaveLength(2);
    const juma = await oracle.newUser();
    const { key: ofJuma } = await makeKey(['read', 'send'], juma);
    expect((await call(bearer(ofJuma), 'GET', `/messages/${sessionId}`)).json()).toEqual({ messages: [] });
    expect((await call(bearer(ofJuma), 'POST', `/messages/${sessionId}`, { message: 'hi' })).statusCode).toBe(404);
  });

  it('without the scope tools cannot decide on pending calls, over other protocols either', async () => {
    const { key } = await makeKey(['read', 'send', 'doors']);
    const approval = { id: 'run/call', approved: true };
    const messages = [{ role: 'assistant', parts: [{ type: 'dynamic-tool', state: 'approval-responded', approval }] }];
    expect((await call(bearer(key), 'POST', '/api/chat', { id: 'chat', messages })).json()).toEqual(
      forbidden('This API key lacks the scope tools'),
    );
  });

  it('decides on single calls, and creates no approval rules', async () => {
    const { key } = await makeKey(['read', 'send', 'tools', 'doors']);
    const url = '/runs/run/approvals/call';
    expect((await call(bearer(key), 'POST', url, { decision: 'always' })).json()).toEqual(beyondKeys);
    expect((await call(bearer(key), 'POST', url, { decision: 'allow' })).statusCode).toBe(404);
    expect((await call(asha.headers, 'POST', url, { decision: 'always' })).statusCode).toBe(404);
  });

  it('without the scope tools causes no tool calls, and declares no client tools', async () => {
    const [{ key: sends }, { key: acts }] = [await makeKey(['send']), await makeKey(['send', 'tools'])];
    const said = { message: 'use the tool remember with {"content":"I like tea"}' };
    for (const [key, calls] of [
      [sends, 0],
      [acts, 1],
    ] as const) {
      const sessionId = await asha.openSession();
      expect((await call(bearer(key), 'POST', `/messages/${sessionId}`, said)).statusCode).toBe(200);
      const { messages } = (await call(asha.headers, 'GET', `/messages/${sessionId}`)).json();
      expect(messages.at(-1).toolCalls ?? []).toHaveLength(calls);
    }
    const tools = [{ name: 'mine', description: 'mine', schema: { type: 'object' } }];
    const reply = await call(bearer(sends), 'POST', `/messages/${await asha.openSession()}`, { message: 'hi', tools });
    expect(reply.json()).toEqual(forbidden('This API key lacks the scope tools'));
  });

  it('authenticates for protocols of other clients with the scope doors', async () => {
    const { key: doors } = await makeKey(['read', 'doors']);
    const { key: own } = await makeKey(['read']);
    expect((await call(bearer(doors), 'GET', '/v1/models')).statusCode).toBe(200);
    const refused = await call(bearer(own), 'GET', '/v1/models');
    expect([refused.statusCode, refused.json().error.message]).toEqual([403, 'This API key lacks the scope doors']);
    const asked = { model: 'local', messages: [{ role: 'user', content: 'hi' }] };
    expect((await call(bearer(doors), 'POST', '/v1/chat/completions', asked)).statusCode).toBe(403);
  });

  it.each([
    ['POST', '/api-keys'],
    ['GET', '/api-keys'],
    ['DELETE', '/api-keys/x'],
    ['POST', '/delegation'],
    ['GET', '/delegation'],
    ['DELETE', '/delegation'],
    ['POST', '/revocations'],
    ['GET', '/account/export'],
    ['DELETE', '/account'],
    ['GET', '/approvals/always'],
    ['POST', '/approvals/always'],
    ['PUT', '/user-preferences'],
  ] as const)('with all scopes is refused on %s %s', async (method, url) => {
    const { key } = await makeKey(['read', 'send', 'tools', 'doors'], await oracle.newUser());
    expect((await call(bearer(key), method, url)).json()).toEqual(beyondKeys);
  });

  it('is documented at every route that accepts or refuses it, including plugin routes', async () => {
    const { paths } = (await oracle.inject({ url: '/docs/json' })).json();
    for (const { get, put } of [paths['/sessions'], paths['/memories'], paths['/user-preferences']]) {
      expect(get).toMatchObject({ security: expect.arrayContaining([{ apiKey: [] }]), responses: { 403: {} } });
      if (put === undefined) continue;
      expect(put.responses).toHaveProperty('403');
      expect(put.security).not.toContainEqual({ apiKey: [] });
    }
  });

  it('with a name or id that cannot be stored is refused or not found', async () => {
    const named = await call(asha.headers, 'POST', '/api-keys', { name: 'a\u0000b', scopes: ['read'] });
    expect(named.json()).toMatchObject({ statusCode: 400, fields: ['name'] });
    expect((await call(asha.headers, 'DELETE', '/api-keys/a%00b')).statusCode).toBe(404);
  });

  it('is refused if it is revoked, expired or unknown', async () => {
    const refused = { statusCode: 401, error: 'Unauthorized', message: 'Unknown, expired or revoked API key' };
    const { id, key } = await makeKey(['read']);
    const juma = await oracle.newUser();
    expect((await call(juma.headers, 'DELETE', `/api-keys/${id}`)).statusCode).toBe(404);
    expect((await call(bearer(key), 'GET', '/sessions')).statusCode).toBe(200);
    expect((await call(asha.headers, 'DELETE', `/api-keys/${id}`)).json()).toEqual({ ok: true });
    expect((await call(bearer(key), 'GET', '/sessions')).json()).toEqual(refused);
    const { key: short } = await makeKey(['read'], asha, { expiresInDays: 1 });
    const other = short.endsWith('A') ? 'B' : 'A';
    for (const guessed of ['mlk_', `${short}A`, short.slice(0, -4), `${short.slice(0, -2)}${other}A`]) {
      expect((await call(bearer(guessed), 'GET', '/sessions')).json(), guessed).toEqual(refused);
    }
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
    try {
      expect((await call(bearer(short), 'GET', '/sessions')).json()).toEqual(refused);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is refused beyond the maximum per user', async () => {
    const user = await oracle.newUser();
    for (let made = 0; made < 20; made++) await makeKey(['read'], user);
    const reply = await call(user.headers, 'POST', '/api-keys', { name: 'one more', scopes: ['read'] });
    expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('revoke one')]);
  });

  it.each([
    [{ scopes: ['read'] }, 'name'],
    [{ name: '', scopes: ['read'] }, 'name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['read', 'read'] }, 'scopes'],
    [{ name: 'x', scopes: ['delegate'] }, 'scopes'],
    [{ name: 'x', scopes: ['read'], expiresInDays: 367 }, 'expiresInDays'],
  ])('cannot be created from %j', async (body, field) => {
    const reply = await call(asha.headers, 'POST', '/api-keys', body);
    expect([reply.statusCode, reply.json().fields?.join()]).toEqual([400, expect.stringContaining(field)]);
  });

  it('is in the export of its user, and is deleted with the account', async () => {
    const user = await oracle.newUser();
    const { key } = await makeKey(['read'], user);
    const exported = await call(user.headers, 'GET', '/account/export');
    expect(exported.rawPayload.includes('api-keys.jsonl')).toBe(true);
    expect((await call(user.headers, 'DELETE', '/account')).json().deleted).toMatchObject({ 'api-keys': 1 });
    expect((await call(bearer(key), 'GET', '/sessions')).statusCode).toBe(401);
  });
});

describe('without API_KEYS', { timeout: 60_000 }, () => {
  it('the routes do not exist', async () => {
    const closed = await createTestOracle();
    const { headers } = await closed.newUser();
    expect((await closed.inject({ method: 'POST', url: '/api-keys', headers, payload: {} })).statusCode).toBe(404);
    const shown = await closed.inject({ url: '/sessions', headers: bearer(`mlk_${'A'.repeat(55)}`) });
    expect([shown.statusCode, shown.json().message]).toEqual([401, expect.stringContaining('Missing UCAN')]);
    await closed.close();
  });
});
