import { feedbackLimits } from '@mlango/schemas/oracle-feedback';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintDelegation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ModelError } from '../src/models/model-error.js';
import { gate, scriptedModel } from '../src/models/scripted-model.fixture.js';
import { attachmentSettings } from '../src/plugins/attachments/settings.js';
import type { FeedbackStore } from '../src/plugins/feedback/feedback-store.js';
import { feedbackSettings } from '../src/plugins/feedback/settings.js';
import type { RecallStore } from '../src/plugins/memory/recall-store.js';
import { authOf, listening, type Service } from '../src/sockets/sockets.fixture.js';
import { oracle } from './app.fixture.js';
import { oneWaitingCall } from './pending-call.fixture.js';
import { type PublishedClient, publishedClient } from './published-client.fixture.js';
import { openTestStores, type TestStores } from './stores.fixture.js';

type Capability = Parameters<typeof mintDelegation>[0]['capabilities'][number];

interface Operation {
  readonly security?: Record<string, string[]>[];
  readonly responses: Record<string, { content: Record<string, { schema: Record<string, unknown> }> }>;
}

/** These replies need a failure of the process. Store failures are tested on routes with a caller. */
const notTried = /^GET \/(feedback|health\/ready|models|) 50[03]$/;

const ofOperators: Record<string, object> = { '/feedback': { authorization: `Bearer ${'t'.repeat(16)}` } };
const storing = ({ did }: ReturnType<typeof signerFromSeed>): [Capability] => [{ can: 'store/add', with: did }];
const revoking = () => createUcanAuth({ audiences: [oracle.did], revocations: memoryRevocationStore() });
const open: Service[] = [];
const seen = new Set<string>();
/** Of all services: a further database takes long to open. */
let stores: TestStores;
let operations: [string, string, Operation][];
let client: PublishedClient;
let token: { invocation: string };

async function serviceWith(options: Parameters<typeof listening>[0]): Promise<PublishedClient> {
  const service = await listening({ stores, ...options });
  open.push(service);
  return publishedClient(service.base, token);
}

beforeAll(async () => {
  stores = await openTestStores();
  token = await authOf('a');
  const timeout = new ModelError('timeout', 'The model took too long.', { retryable: true });
  const { model } = scriptedModel(({ messages }) => [messages.at(-1)?.content === 'slow' ? timeout : 'hello']);
  const settings = new Map([['feedback', feedbackSettings.parse({ FEEDBACK_OPERATOR_TOKEN: 't'.repeat(16) })]]);
  client = await serviceWith({ model, auth: revoking(), approvals: oneWaitingCall(), settings });
  const { paths } = await client.call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/docs/json');
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );
});
afterAll(() => Promise.all(open.map((service) => service.close())));

/** Calls a described route and validates the reply against the description. */
async function answered(
  by: PublishedClient,
  method: string,
  path: string,
  { body, headers, ids = {}, query = '' }: { body?: unknown; headers?: object; ids?: object; query?: string } = {},
): Promise<Response> {
  const operation = operations.find((each) => each[0] === method && each[1] === path)?.[2];
  if (operation === undefined) throw new Error(`not described: ${method} ${path}`);
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(ids, name) ?? 'absent'));
  const reply = await by.reply(method, `${url}${query}`, body, headers ?? ofOperators[path]);
  const text = await reply.clone().text();
  const called = `${method} ${path} ${reply.status}`;
  const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
  const described = operation.responses[reply.status]?.content[type];
  if (described === undefined) throw new Error(`not described: ${called} as ${type}: ${text}`);
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text;
  const { error } = z.fromJSONSchema(described.schema).safeParse(value);
  expect([called, error]).toEqual([called, undefined]);
  seen.add(called);
  return reply;
}

const decidePath = '/runs/{runId}/approvals/{toolCallId}';
const regeneratePath = '/sessions/{sessionId}/messages/{messageId}/regenerate';

const described = (status: number) => operations.filter(([, , { responses }]) => String(status) in responses);
const malformed = { sessionId: '%E0%A4%A', runId: '%E0%A4%A', attachmentId: '%E0%A4%A', id: '%E0%A4%A' };
const feedbackPath = '/sessions/{sessionId}/feedback/{messageId}';

describe('a reply matches the API description', () => {
  it('401, without a token', async () => {
    const anonymous = { headers: { authorization: '', 'x-auth-type': '' } };
    const withCaller = operations.filter(([, , { security }]) => security !== undefined);
    expect(described(401)).toEqual(withCaller);
    for (const [method, path] of withCaller) {
      expect((await answered(client, method, path, anonymous)).status).toBe(401);
    }
  });

  it('400, 413 and 415, for invalid bodies and paths', async () => {
    for (const [method, path] of described(413)) {
      if (path === '/attachments') continue;
      const body = 'x'.repeat(262_145);
      expect((await answered(client, method, path, { body })).status).toBe(413);
      const headers = { 'content-type': 'text/plain' };
      expect((await answered(client, method, path, { body: 'hi', headers })).status).toBe(415);
      expect((await answered(client, method, path, { body: '{' })).status).toBe(400);
    }
    for (const [method, path] of described(400)) {
      const odd = path.includes('{') ? { ids: malformed } : { query: '?limit=0&days=0' };
      if (method === 'GET') expect((await answered(client, method, path, odd)).status).toBe(400);
    }
    const query = '?sessionId=s&filename=a';
    for (const [status, body, place] of [
      [400, 'x', ''],
      [413, 'x'.repeat(5_242_881), query],
      [415, '\u0001', query],
    ] as const) {
      expect((await answered(client, 'POST', '/attachments', { body, query: place })).status).toBe(status);
    }
    for (const path of ['/attachments/{attachmentId}', '/memories/{id}', feedbackPath])
      expect((await answered(client, 'DELETE', path, { ids: malformed })).status).toBe(400);
    const bodyPaths = ['/messages/{sessionId}', '/messages/abort', '/delegation', '/revocations', '/memories'];
    for (const path of [...bodyPaths, '/approvals/always'])
      expect((await answered(client, 'POST', path, { body: {} })).status).toBe(400);
  });

  it('429, beyond the rate limit', async () => {
    const limited = await serviceWith({ rateLimitMax: 0 });
    for (const [method, path] of described(429)) {
      expect((await answered(limited, method, path)).status).toBe(429);
    }
  });

  it.each([500, 503])('%d, during a failure of the service', async (status) => {
    const auth = revoking();
    const failure = Object.assign(new Error('broken'), status === 503 ? { code: 'ECONNREFUSED' } : {});
    const broken = await serviceWith({ auth: { ...auth, request: () => Promise.reject(failure) } });
    for (const [method, path, { security }] of described(status)) {
      if (security?.some((way) => 'ucan' in way)) expect((await answered(broken, method, path)).status).toBe(status);
    }
  });

  it('402, before payment', async () => {
    const demand = { message: 'Pay first', claims: ['c1'] };
    const paid = await serviceWith({ gate: { demandOf: async () => demand } });
    const ids = { sessionId: await paid.newSession() };
    const body = { message: 'hi' };
    expect((await answered(paid, 'POST', '/messages/{sessionId}', { ids, body })).status).toBe(402);
    const of = open.at(-1)?.deps.conversations;
    const at = { turnId: 't', type: 'human' as const, content: 'hi', createdAt: new Date() };
    await of?.addMessage(signerFromSeed(Buffer.alloc(32, 'a')).did, ids.sessionId, { ...at, messageId: 'm' });
    const repeated = { ids: { ...ids, messageId: 'm' }, body: {} };
    expect((await answered(paid, 'POST', regeneratePath, repeated)).status).toBe(402);
  });

  it('403, for a delegation where the user’s own signature is required', async () => {
    const signer = signerFromSeed(Buffer.alloc(32, 'a'));
    const use = { can: '*', with: 'ixo:oracle' } as const;
    const delegation = await mintDelegation({ signer, audience: oracle.did, capabilities: [use] });
    const headers = { authorization: '', 'x-auth-type': '', 'x-ucan-delegation': delegation };
    for (const [method, path, body] of [
      ['POST', '/approvals/always', { says: 'ask', toolName: 'pay' }],
      ['POST', decidePath, { decision: 'always' }],
    ] as const) {
      expect((await answered(client, method, path, { headers, body })).status).toBe(403);
    }
  });

  it('404, 409 and 504, for impossible requests', async () => {
    const ids = { sessionId: await client.newSession() };
    const send = { message: 'hi', requestId: 'once' };
    await answered(client, 'POST', '/messages/{sessionId}', { ids, body: send });
    await answered(client, 'POST', '/messages/{sessionId}', { ids, body: { message: 'slow', requestId: 'late' } });
    for (const [status, method, path, call] of [
      [404, 'POST', '/messages/{sessionId}', { body: send }],
      [404, 'DELETE', '/sessions/{sessionId}', {}],
      [404, 'PATCH', '/sessions/{sessionId}', { body: { archived: true } }],
      [404, 'GET', '/runs/{runId}', {}],
      [404, 'POST', regeneratePath, { body: {} }],
      [404, 'PUT', '/sessions/{sessionId}/branch', { body: { messageId: 'none' } }],
      [404, 'DELETE', '/memories/{id}', {}],
      [404, 'POST', '/attachments', { body: 'x', query: '?sessionId=none&filename=a' }],
      [404, 'GET', '/attachments/{attachmentId}', {}],
      [404, 'DELETE', '/attachments/{attachmentId}', {}],
      [404, 'PUT', feedbackPath, { body: { rating: 'up' } }],
      [404, 'DELETE', feedbackPath, {}],
      [404, 'POST', decidePath, { body: { decision: 'allow' } }],
      [409, 'POST', '/messages/{sessionId}', { ids, body: send }],
      [409, 'POST', regeneratePath, { ids: { ...ids, messageId: 'once' }, body: { requestId: 'once' } }],
      [504, 'POST', regeneratePath, { ids: { ...ids, messageId: 'late~human' }, body: {} }],
      [504, 'POST', '/messages/{sessionId}', { ids, body: { message: 'slow' } }],
    ] as const) {
      expect((await answered(client, method, path, call)).status).toBe(status);
    }
    const exported = gate();
    const waiting = async function* () {
      await exported.opened;
      yield new Uint8Array(1);
    };
    const busy = await serviceWith({ account: { delete: async () => 'busy', export: waiting } });
    expect((await answered(busy, 'DELETE', '/account')).status).toBe(409);
    const exports = [1, 2].map(() => answered(busy, 'GET', '/account/export'));
    await Promise.race(exports);
    exported.open();
    expect(new Set((await Promise.all(exports)).map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await answered(await serviceWith({ sessionsPerUser: 0 }), 'POST', '/sessions')).status).toBe(409);
    const revocations = memoryRevocationStore(undefined, { perIssuer: 0 });
    const unwilling = await serviceWith({ auth: createUcanAuth({ audiences: [oracle.did], revocations }) });
    const signer = signerFromSeed(Buffer.alloc(32, 'a'));
    const delegation = await mintDelegation({ signer, audience: oracle.did, capabilities: storing(signer) });
    const token = await mintRevocation({ signer, audience: oracle.did, token: delegation });
    expect((await answered(unwilling, 'POST', '/revocations', { body: { token } })).status).toBe(409);
  });

  it('200 and 201, on every route', async () => {
    const signer = signerFromSeed(Buffer.alloc(32, 'a'));
    const raw = await mintDelegation({ signer, audience: oracle.did, capabilities: storing(signer) });
    const { sessionId } = (await (await answered(client, 'POST', '/sessions')).json()) as { sessionId: string };
    const ids = { sessionId };
    const post = (body: object) => answered(client, 'POST', '/messages/{sessionId}', { ids, body });
    const file = { eventId: '$event', filename: 'a.png', mimetype: 'image/png' };
    await post({ message: 'hi', returnAllMessages: true, attachments: [file], requestId: 'first' });
    const messageId = 'first';
    const repeated = { ids: { ...ids, messageId }, body: { returnAllMessages: true } };
    expect((await answered(client, 'POST', regeneratePath, repeated)).status).toBe(200);
    await answered(client, 'PUT', '/sessions/{sessionId}/branch', { ids, body: { messageId } });
    await answered(client, 'GET', '/sessions/{sessionId}/branches', { ids });
    const runId = (await post({ message: 'hi', stream: true })).headers.get('x-run-id');
    await answered(client, 'GET', '/runs/{runId}', { ids: { runId }, query: '?after=1' });
    for (const path of ['/sessions/{sessionId}/messages', '/messages/{sessionId}', '/sessions/{sessionId}/run']) {
      await answered(client, 'GET', path, { ids });
      await answered(client, 'GET', path);
    }
    await answered(client, 'PATCH', '/sessions/{sessionId}', { ids, body: { title: 'Tea', archived: true } });
    await answered(client, 'GET', '/sessions/search', { query: '?q=hi' });
    await answered(client, 'POST', '/messages/abort', { body: { sessionId } });
    await answered(client, 'GET', '/delegation');
    await answered(client, 'POST', '/delegation', { body: { raw } });
    await answered(client, 'GET', '/delegation');
    await answered(client, 'DELETE', '/delegation');
    const revocation = await mintRevocation({ signer, audience: oracle.did, token: raw });
    await answered(client, 'POST', '/revocations', { body: { token: revocation } });
    expect((await answered(client, 'POST', '/memories', { body: { content: 'likes tea' } })).status).toBe(201);
    const memories = open[0]?.deps.plugins.active('memory')[0]?.boot.own as RecallStore;
    vi.spyOn(memories, 'add').mockResolvedValueOnce('full');
    expect((await answered(client, 'POST', '/memories', { body: { content: 'too much' } })).status).toBe(409);
    await answered(client, 'GET', '/memories');
    const upload = (by: PublishedClient, session: string) =>
      answered(by, 'POST', '/attachments', { body: 'hi', query: `?sessionId=${session}&filename=a` });
    const uploaded = (await (await upload(client, sessionId)).json()) as { attachmentId: string };
    for (const by of ['GET', 'DELETE']) await answered(client, by, '/attachments/{attachmentId}', { ids: uploaded });
    const noRoom = attachmentSettings.parse({ ATTACHMENT_USER_BYTES: '0' });
    const small = await serviceWith({ settings: new Map([['attachments', noRoom]]) });
    expect((await upload(small, await small.newSession())).status).toBe(409);
    await answered(client, 'PUT', '/user-preferences', { body: { userName: 'Asha' } });
    const mark = { ids: { ...ids, messageId }, body: { rating: 'down', reasons: ['unclear'], comment: 'Why?' } };
    await answered(client, 'PUT', feedbackPath, mark);
    await answered(client, 'GET', '/sessions/{sessionId}/feedback', { ids });
    await answered(client, 'GET', '/feedback');
    await answered(client, 'DELETE', feedbackPath, { ids: mark.ids });
    const feedback = open[0]?.deps.plugins.active('feedback')[0]?.boot.own as FeedbackStore | undefined;
    const rating = { sessionId, rating: 'up', reasons: [], updatedAt: new Date() } as const;
    for (let most = 1; most <= feedbackLimits.ofSession; most += 1)
      await feedback?.put(signer.did, { ...rating, messageId: `m-${most}` }, most);
    expect((await answered(client, 'PUT', feedbackPath, mark)).status).toBe(409);
    await answered(client, 'GET', '/account/export');
    await answered(client, 'DELETE', '/account');
    await answered(client, 'GET', '/approvals');
    await answered(client, 'GET', '/approvals/always');
    const requireApproval = (toolName: string) =>
      answered(client, 'POST', '/approvals/always', { body: { says: 'ask', toolName } });
    expect([(await requireApproval('pay')).status, (await requireApproval('one-too-many')).status]).toEqual([201, 409]);
    const decide = () =>
      answered(client, 'POST', decidePath, { ids: { runId: 'run', toolCallId: 'call' }, body: { decision: 'allow' } });
    expect([(await decide()).status, (await decide()).status]).toEqual([200, 409]);
    for (const id of ['rule', 'none', 'x'.repeat(300)]) {
      await answered(client, 'DELETE', '/approvals/always/{id}', { ids: { id } });
    }
    const memory = await answered(client, 'POST', '/memories', { body: { content: 'likes tea' } });
    await answered(client, 'DELETE', '/memories/{id}', { ids: Object(await memory.json()) });
    const plain = ['/', '/health', '/health/live', '/health/ready', '/models', '/sessions', '/user-preferences'];
    for (const path of [...plain, '/attachments']) await answered(client, 'GET', path);
    await answered(client, 'DELETE', '/sessions/{sessionId}', { ids });
  });

  it('every described reply is covered', () => {
    const all = operations.flatMap(([method, path, { responses }]) =>
      Object.keys(responses).map((status) => `${method} ${path} ${status}`),
    );
    expect(all.filter((each) => !seen.has(each) && !notTried.test(each))).toEqual([]);
  });
});
