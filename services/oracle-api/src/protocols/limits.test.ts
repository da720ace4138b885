import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headersOf, type TestOptions, testApp } from '../../test/app.fixture.js';
import { testPlugin } from '../plugins/api/plugin.fixture.js';

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 7, method, params });
const user = (content: string) => [{ role: 'user', content }];

/** A message in each protocol, with a parser of its error reply. */
const protocols: readonly [string, (session: string) => { url: string; payload: object }, string][] = [
  ['REST', (session) => ({ url: `/messages/${session}`, payload: { message: 'hi' } }), 'message'],
  ['chat completions', () => ({ url: '/v1/chat/completions', payload: { messages: user('hi') } }), 'error.message'],
  ['responses', () => ({ url: '/v1/responses', payload: { input: 'hi' } }), 'error.message'],
  [
    'AI SDK',
    (session) => ({
      url: '/api/chat',
      payload: { id: session, messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }] },
    }),
    'message',
  ],
  [
    'AG-UI',
    (session) => ({ url: '/ag-ui', payload: { threadId: session, runId: 'r-1', messages: user('hi') } }),
    'message',
  ],
  [
    'A2A',
    () => ({
      url: '/a2a',
      payload: rpc('SendMessage', { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } }),
    }),
    'error.message',
  ],
  [
    'MCP',
    () => ({ url: '/mcp', payload: rpc('tools/call', { name: 'ask', arguments: { message: 'hi' } }) }),
    'error.message',
  ],
];

const demandOf = async () => ({ message: 'Pay first.', claims: ['c1'] });
/** The session of the test counts as one request of its user. */
const limits: readonly [string, TestOptions, number, string][] = [
  ['requests of a user', { rateLimitMax: 1 }, 429, 'caller'],
  ['turns of an address', { turnsPerAddress: 0 }, 429, 'turns'],
  ['messages of a user in a day', { messagesPerUserPerDay: 1 }, 429, 'messages_per_day'],
  ['storage of an address', { storageBytesPerAddress: 1 }, 429, 'storage'],
  ['a full table', { fullTables: ['messages'] }, 503, 'storage'],
  ['turns of the process', { activeTurns: 0 }, 503, 'turns_running'],
  ['payment', { plugins: [testPlugin('gating', { getPaymentGate: () => ({ demandOf }) })] }, 402, 'credits'],
];

describe.each(limits)('the limit of %s', (_limit, options, status, limiter) => {
  let app: HttpApp;
  beforeAll(async () => {
    ({ app } = await testApp({ protocols: ['openai', 'ai-sdk', 'ag-ui', 'a2a', 'mcp'], ...options }));
  });
  afterAll(() => app.close());

  const refusals = async () => {
    const { body } = await app.inject({ url: '/metrics' });
    const counts = body.matchAll(new RegExp(`refused_total\\{[^}]*limiter="${limiter}"[^}]*\\} (\\d+)`, 'g'));
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };

  it.each(protocols)('has its status and is counted, by %s', async (protocol, request, path) => {
    // Each protocol has another user at another address.
    const at = protocols.findIndex(([name]) => name === protocol);
    const headers = await headersOf(String(at));
    const post = (call: { url: string; payload?: object }) =>
      app.inject({ method: 'POST', headers, remoteAddress: `10.0.0.${at + 1}`, ...call });
    const session = (await post({ url: '/sessions' })).json<{ sessionId: string }>().sessionId;
    if (limiter === 'messages_per_day') await post({ url: `/messages/${session}`, payload: { message: 'the one' } });
    const before = await refusals();
    const reply = await post(request(session));
    const message = path
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], reply.json());
    expect([reply.statusCode, message]).toEqual([status, expect.stringMatching(/\w/)]);
    if (status !== 402) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    // The requests of a user are counted before their bodies are read.
    if (['A2A', 'MCP'].includes(protocol)) {
      expect(reply.json()).toMatchObject({
        id: limiter === 'caller' ? null : 7,
        error: { data: { statusCode: status } },
      });
    }
    expect(await refusals()).toBe(before + 1);
  });
});
