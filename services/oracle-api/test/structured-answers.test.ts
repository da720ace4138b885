import { afterEach, describe, expect, it } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import {
  callsTool,
  type Reply,
  refusesWith,
  says,
  startStandIn,
} from '../src/models/providers/stand-in-endpoint.fixture.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const responseSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, rain: { type: 'boolean' } },
  required: ['city', 'rain'],
};
const fits = '{"city":"Nairobi","rain":true}';

/** Sends one message with a response schema to the whole service on an endpoint. */
async function complete(replies: Reply[], more: object = {}) {
  const endpoint = await startStandIn(...replies);
  closers.push(endpoint.close);
  const oracle = await createTestOracle({ env: { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'm' } });
  closers.push(() => oracle.close());
  const user = await oracle.newUser();
  const url = `/messages/${await user.openSession()}`;
  const payload = { message: 'Does it rain?', responseSchema, ...more };
  const reply = await oracle.inject({ method: 'POST', url, headers: user.headers, payload });
  const requests = endpoint.requests.filter(({ body }) => JSON.stringify(body).includes('Does it rain?'));
  return { reply, requests };
}

describe('a message with a response schema', () => {
  it.each([
    ['plain', says(fits)],
    ['in a block of Markdown', says(`\`\`\`json\n${fits}\n\`\`\``)],
    ['after reasoning', says(`<think>Hm.</think>${fits}`)],
  ])('is answered with a valid object, sent %s', async (_, answer) => {
    const { reply, requests } = await complete([answer]);
    expect(reply.json()).toMatchObject({ message: { content: fits } });
    expect(requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: responseSchema, strict: false },
    });
  });

  it('has an invalid answer repaired once', async () => {
    const { reply, requests } = await complete([says('{"city":"Nairobi"}'), says(fits)]);
    expect(reply.json()).toMatchObject({ message: { content: fits } });
    const [, repair] = requests;
    expect(repair?.body.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: '{"city":"Nairobi"}' },
      { role: 'user', content: expect.stringContaining('rain') },
    ]);
  });

  it('fails clearly if the repaired answer is invalid, and stores none of it', async () => {
    const { reply, requests } = await complete([says('It rains.')], { stream: true });
    expect(reply.body).toContain('no answer in the requested form');
    expect(reply.body).not.toContain('event: message');
    expect(requests).toHaveLength(2);
  });

  it('uses a call if the endpoint has no structured output', async () => {
    const refusal = {
      error: { message: 'response_format json_schema is not supported', type: 'invalid_request_error' },
    };
    const call = callsTool({ name: 'structured_answer', args: fits });
    const { reply, requests } = await complete([refusesWith(400, refusal), call]);
    expect(reply.json()).toMatchObject({ message: { content: fits } });
    expect(requests[1]?.body).toMatchObject({ tool_choice: 'required' });
    expect(requests[1]?.body.tools.at(-1)).toMatchObject({
      function: { name: 'structured_answer', parameters: responseSchema },
    });
    expect(requests[1]?.body.response_format).toBeUndefined();
  });

  it('may call tools first, with the answer alone as its text', async () => {
    const call = callsTool({ name: 'remember', args: '{"content":"it rains"}' });
    const { reply } = await complete([call, says(fits)]);
    expect(reply.json()).toMatchObject({ message: { content: fits } });
  });

  it('is not cut by a cut attempt, and fails if the model only calls tools', async () => {
    const { reply } = await complete([says('{"city":', { finish: 'length' }), says(fits)], { stream: true });
    expect(reply.body).toContain('"status":"finished"');
    expect(reply.body).not.toContain('finishReason');
    const calls = callsTool({ name: 'remember', args: '{"content":"it rains"}' });
    const failed = await complete([calls], { stream: true });
    expect(failed.reply.body).toContain('"code":"answer_not_in_form"');
    expect(failed.reply.body).toContain('"status":"failed"');
  });

  it.each([
    ['describes no object', { type: 'array' }],
    ['refers to itself', { properties: { next: { $ref: '#/$defs/next' } }, $defs: { next: { $ref: '#/$defs/next' } } }],
    ['refers to another document', { properties: { next: { $ref: 'https://example.org/next' } } }],
    ['has unsupported keywords', { if: { required: ['city'] }, properties: {} }],
  ])('is refused if the schema %s', async (_, uncheckable) => {
    const { reply, requests } = await complete([says(fits)], { responseSchema: uncheckable });
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('responseSchema')]);
    expect(requests).toEqual([]);
  });

  it('is refused if the schema is too large', async () => {
    const wide = { type: 'object', properties: { city: { enum: Array(6_000).fill('x') } } };
    const { reply } = await complete([says(fits)], { responseSchema: wide });
    expect(reply.statusCode).toBe(400);
  });
});
