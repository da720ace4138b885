import { describe, expect, it, onTestFinished } from 'vitest';
import { headersOf, newSession, type TestOptions, testApp } from '../../test/app.fixture.js';
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

const table = protocols.flatMap(([protocol, request, path]) =>
  limits.map(([limit, options, status, limiter]) => ({ protocol, request, path, limit, options, status, limiter })),
);

describe('a limit', () => {
  it.each(table)('$limit, by $protocol, has its status and is counted', async (cell) => {
    const { protocol, options, request, path, status, limiter } = cell;
    const { app } = await testApp({ protocols: ['openai', 'ai-sdk', 'ag-ui', 'a2a', 'mcp'], ...options });
    onTestFinished(() => app.close());
    const headers = await headersOf('a');
    const session = await newSession(app, headers);
    if (limiter === 'messages_per_day') {
      await app.inject({ method: 'POST', url: `/messages/${session}`, headers, payload: { message: 'the one' } });
    }
    const reply = await app.inject({ method: 'POST', headers, ...request(session) });
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
    const { body } = await app.inject({ url: '/metrics' });
    expect(body).toMatch(new RegExp(`refused_total\\{[^}]*limiter="${limiter}"[^}]*\\} 1\\b`));
  });
});
