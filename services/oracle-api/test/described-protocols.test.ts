import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ModelError } from '../src/models/model-error.js';
import { scriptedModel } from '../src/models/scripted-model.fixture.js';
import { authOf, listening, type Service } from '../src/sockets/sockets.fixture.js';
import { oracle } from './app.fixture.js';
import { type PublishedClient, publishedClient } from './published-client.fixture.js';
import { openTestStores, type TestStores } from './stores.fixture.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly responses: Record<string, { content: Record<string, { schema: Record<string, unknown> }> }>;
}

const open: Service[] = [];
const seen = new Set<string>();
/** Of all services: a further database takes long to open. */
let stores: TestStores;
let operations: Operation[];
let client: PublishedClient;
let token: { invocation: string };

async function serviceWith(options: Parameters<typeof listening>[0]): Promise<PublishedClient> {
  const service = await listening({ stores, protocols: ['openai'], ...options });
  open.push(service);
  return publishedClient(service.base, token);
}

beforeAll(async () => {
  stores = await openTestStores();
  token = await authOf('a');
  const timeout = new ModelError('timeout', 'The model took too long.', { retryable: true });
  const { model } = scriptedModel(({ messages }) => [messages.at(-1)?.content === 'slow' ? timeout : 'hello']);
  client = await serviceWith({ model });
  const { paths } = await client.call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/docs/json');
  operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({ method: method.toUpperCase(), path, responses })),
    );
});
afterAll(() => Promise.all(open.map((service) => service.close())));

/** Calls a described route and validates the reply against the description. */
async function answered(
  by: PublishedClient,
  { method, path, responses }: Operation,
  { body, headers, id = 'absent', query = '' }: { body?: unknown; headers?: object; id?: string; query?: string } = {},
): Promise<Response> {
  const reply = await by.reply(method, `${path.replace(/\{\w+\}/, id)}${query}`, body, headers);
  const text = await reply.clone().text();
  const called = `${method} ${path} ${reply.status}`;
  const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
  const described = responses[reply.status]?.content[type];
  if (described === undefined) throw new Error(`not described: ${called} as ${type}: ${text}`);
  const { error } = z.fromJSONSchema(described.schema).safeParse(type === 'application/json' ? JSON.parse(text) : text);
  expect([called, error]).toEqual([called, undefined]);
  seen.add(called);
  return reply;
}

function at(method: string, path: string): Operation {
  const found = operations.find((each) => each.method === method && each.path === `/v1${path}`);
  if (found === undefined) throw new Error(`not described: ${method} ${path}`);
  return found;
}

const hi = { messages: [{ role: 'user', content: 'hi' }] };
const slow = { messages: [{ role: 'user', content: 'slow' }] };

describe('a protocol reply matches the API description', () => {
  it('401, 429, 500 and 503', async () => {
    const auth = createUcanAuth({ audiences: [oracle.did] });
    const failing = (failure: Error) => serviceWith({ auth: { ...auth, request: () => Promise.reject(failure) } });
    const broken = await failing(new Error('broken'));
    const failed = await failing(Object.assign(new Error('broken'), { code: 'ECONNREFUSED' }));
    const limited = await serviceWith({ rateLimitMax: 0 });
    for (const operation of operations) {
      const anonymous = { headers: { authorization: '', 'x-auth-type': '' } };
      expect((await answered(client, operation, anonymous)).status).toBe(401);
      expect((await answered(limited, operation)).status).toBe(429);
      expect((await answered(broken, operation)).status).toBe(500);
      expect((await answered(failed, operation)).status).toBe(503);
    }
  });

  it('400, 413 and 415, for invalid bodies and queries', async () => {
    for (const operation of operations.filter(({ responses }) => '413' in responses)) {
      expect((await answered(client, operation, { body: ','.repeat(1_048_577) })).status).toBe(413);
      const headers = { 'content-type': 'text/plain' };
      expect((await answered(client, operation, { body: 'hi', headers })).status).toBe(415);
      expect((await answered(client, operation, { body: '{' })).status).toBe(400);
    }
    const odd = { query: '?starting_after=x' };
    expect((await answered(client, at('GET', '/responses/{responseId}'), odd)).status).toBe(400);
  });

  it('402, 404, 409 and 504, for impossible requests', async () => {
    const paid = await serviceWith({ gate: { demandOf: async () => ({ message: 'Pay first', claims: ['c1'] }) } });
    // On the stores of the others, a new session would replace one of a client that stores none.
    const full = await serviceWith({ stores: await openTestStores(), sessionsPerUser: 0 });
    for (const [path, body, late] of [
      ['/chat/completions', hi, slow],
      ['/responses', { input: 'hi' }, { input: 'slow' }],
    ] as const) {
      expect((await answered(paid, at('POST', path), { body })).status).toBe(402);
      expect((await answered(client, at('POST', path), { body: { ...body, model: 'none' } })).status).toBe(404);
      expect((await answered(full, at('POST', path), { body })).status).toBe(409);
      expect((await answered(client, at('POST', path), { body: late })).status).toBe(504);
    }
    expect((await answered(full, at('POST', '/conversations'))).status).toBe(409);
    const named = operations.filter(({ path, responses }) => path.includes('{') && '404' in responses);
    for (const operation of named) expect((await answered(client, operation)).status).toBe(404);
  });

  it('200, on every route', async () => {
    await answered(client, at('GET', '/models'));
    await answered(client, at('GET', '/models/{model}'), { id: 'scripted' });
    for (const stream of [false, true]) {
      await answered(client, at('POST', '/chat/completions'), { body: { ...hi, stream } });
      await answered(client, at('POST', '/responses'), { body: { input: 'hi', stream } });
    }
    const created = await answered(client, at('POST', '/conversations'));
    const { id } = (await created.json()) as { id: string };
    const body = { input: 'hi', conversation: id };
    const response = (await (await answered(client, at('POST', '/responses'), { body })).json()) as { id: string };
    for (const query of ['', '?stream=true&starting_after=0']) {
      await answered(client, at('GET', '/responses/{responseId}'), { id: response.id, query });
    }
    await answered(client, at('POST', '/responses/{responseId}/cancel'), { id: response.id });
    await answered(client, at('GET', '/conversations/{conversationId}'), { id });
    await answered(client, at('GET', '/conversations/{conversationId}/items'), { id });
    await answered(client, at('DELETE', '/conversations/{conversationId}'), { id });
  });

  it('every described reply is covered', () => {
    const all = operations.flatMap(({ method, path, responses }) =>
      Object.keys(responses).map((status) => `${method} ${path} ${status}`),
    );
    expect(all.filter((each) => !seen.has(each))).toEqual([]);
  });
});
