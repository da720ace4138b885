import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDoor } from './open-protocol.fixture.js';

let service: Awaited<ReturnType<typeof openDoor>>;
beforeAll(async () => {
  service = await openDoor('openai', { protocols: ['openai', 'ag-ui'] });
});
afterAll(() => service.close());

const wide = {
  type: 'object',
  properties: { x: { items: { anyOf: Array.from({ length: 1_200 }, (_, at) => ({ const: at })) } } },
};
// A schema too deep for JSON.stringify.
const deep = `${'{"items":'.repeat(5_000)}{}${'}'.repeat(5_000)}`;
const place = { place: 'of the schema' };
const tool = (schema: object) => ({ name: 'sum', description: 'adds', schema });
const functionOf = (parameters: object) => ({ name: 'sum', description: 'adds', parameters });

it.each([
  ['own', '/messages', (schema: object) => ({ message: 'hi', tools: [tool(schema)] })],
  ['own', '/messages', (schema: object) => ({ message: 'hi', agActions: [tool(schema)] })],
  [
    'ag-ui',
    '/ag-ui',
    (schema: object) => ({
      threadId: 't',
      runId: 'r',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [functionOf(schema)],
    }),
  ],
  [
    'openai',
    '/v1/chat/completions',
    (schema: object) => ({
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', function: functionOf(schema) }],
    }),
  ],
  [
    'openai',
    '/v1/responses',
    (schema: object) => ({ input: 'hi', tools: [{ type: 'function', ...functionOf(schema) }] }),
  ],
] as const)(
  'a schema with too many alternatives or levels is refused in its declaration: %s %s',
  async (_door, path, bodyOf) => {
    const { base, own, headersOf } = service;
    const { sessionId } = await own<{ sessionId: string }>('a', '/sessions', 'POST', {});
    const url = path === '/messages' ? `${base}/messages/${sessionId}` : `${base}${path}`;
    const headers = { ...(await headersOf('a')), 'content-type': 'application/json' };
    const post = (schema: string) =>
      fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(bodyOf(place)).replace(JSON.stringify(place), schema),
      });
    for (const [schema, problem] of [
      [JSON.stringify(wide), 'too many alternatives'],
      [deep, 'nested too deep'],
    ] as const) {
      const reply = await post(schema);
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(problem)]);
    }
    expect((await post('{"properties":{"by":{"type":"number"}}}')).status).toBe(200);
  },
);
