import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SentSpan, startTraceCollector } from '@mlango/test-services/trace-collector';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import { dataUrl, png } from '../src/files/files-oracle.fixture.js';
import { refuses, says, startStandIn } from '../src/models/providers/stand-in-endpoint.fixture.js';
import { at, bank, open } from './bank-with-approvals.fixture.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const secret = 'the tea is under the stairs';

const begunAt = ({ startTimeUnixNano }: SentSpan) => BigInt(startTimeUnixNano);

/** Traces, logs and metrics of one message with a tool call. */
async function signalsOf(env: Readonly<Record<string, string>>) {
  const collector = await startTraceCollector();
  cleanUps.push(async () => collector.close());
  const oracle = await createTestOracle({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
  });
  const user = await oracle.newUser();
  const sessionId = await user.openSession();
  const message = `use the tool remember with {"content":"${secret}"}`;
  const headers = { ...user.headers, traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message } });
  const metrics = (await oracle.inject('/metrics')).body;
  await oracle.close();
  const spans = collector
    .spans()
    .filter((span) => span.traceId === traceId)
    .toSorted((one, other) => Number(begunAt(one) - begunAt(other)));
  const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name;
  return {
    spans,
    metrics,
    sessionId,
    sent: collector.received.join(),
    placed: spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]),
  };
}

describe('a traced turn that waits for approval', { timeout: 60_000 }, () => {
  it('continues in the request of the approval, linked to its earlier trace', async () => {
    const collector = await startTraceCollector();
    cleanUps.push(async () => collector.close());
    const oracle = await open([bank([])], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const user = await oracle.newUser();
    const session = await user.openSession();
    const me = at(oracle, user);
    await me.pay(session, 5);
    await me.settle({ decision: 'allow' });
    await me.ended(session);
    await oracle.close();
    const spans = collector.spans();
    const [before, after] = spans.filter(({ name }) => name.startsWith('invoke_agent'));
    expect(before?.facts['mlango.run.status']).toBe('waiting');
    expect(before?.links).toEqual([]);
    expect(after?.facts['mlango.run.id']).toBe(before?.facts['mlango.run.id']);
    expect(after?.links).toMatchObject([{ traceId: before?.traceId, spanId: before?.spanId }]);
    const parent = spans.find(({ spanId }) => spanId === after?.parentSpanId);
    expect(parent?.name).toBe('POST /runs/:runId/approvals/:toolCallId');
  });
});

describe('a traced turn', { timeout: 60_000 }, () => {
  it('is a span with a child for each model request and each tool call, in the trace of its request', async () => {
    const { spans, placed, sessionId } = await signalsOf({});
    const turn = 'invoke_agent Test oracle';
    expect(placed).toEqual([
      ['POST /messages/:sessionId', undefined],
      [turn, 'POST /messages/:sessionId'],
      ['chat local', turn],
      ['execute_tool remember', turn],
      ['chat local', turn],
    ]);
    const [, whole, first, tool, last] = spans;
    expect(first?.facts).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'mlango',
      'gen_ai.request.model': 'local',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'gen_ai.response.finish_reasons': ['tool_call'],
    });
    expect(first?.kind).toBe(3);
    expect(tool?.facts).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'remember',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.any(String),
      'mlango.plugin': 'memory',
    });
    expect(last?.facts).toMatchObject({ 'gen_ai.response.finish_reasons': ['stop'] });
    expect(whole?.facts).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': sessionId,
      'gen_ai.agent.name': 'Test oracle',
      'mlango.run.status': 'finished',
    });
  });

  it('contains no message text unless the operator enables it', async () => {
    expect((await signalsOf({})).sent).not.toContain(secret);
    const { spans } = await signalsOf({ OTEL_CAPTURE_CONTENT: 'true' });
    const [, , first, tool, last] = spans;
    const messages = JSON.parse(String(first?.facts['gen_ai.input.messages'])) as object[];
    expect(messages.at(-1)).toEqual({
      role: 'user',
      parts: [{ type: 'text', content: expect.stringContaining(secret) }],
    });
    expect(JSON.parse(String(tool?.facts['gen_ai.tool.call.arguments']))).toEqual({ content: secret });
    expect(tool?.facts['gen_ai.tool.call.result']).toBeDefined();
    expect(String(last?.facts['gen_ai.output.messages'])).toContain('"role":"assistant"');
  });

  it('is measured by model and plugin', async () => {
    const { metrics } = await signalsOf({});
    expect(metrics).toMatch(/oracle_model_requests_total\{model="local",outcome="answered",[^}]*\} 2/);
    expect(metrics).toMatch(/oracle_model_first_token_seconds_count\{[^}]*model="local"[^}]*\} 2/);
    expect(metrics).toMatch(/oracle_model_request_seconds_count\{[^}]*model="local"[^}]*\} 2/);
    expect(metrics).toMatch(/oracle_turn_seconds_count\{[^}]*status="finished"[^}]*\} 1/);
    expect(metrics).toMatch(/oracle_tool_seconds_count\{[^}]*plugin="memory",outcome="done"[^}]*\} 1/);
  });

  it('counts failed models by reason, and the model that answered instead', async () => {
    const failing = await startStandIn(refuses(401));
    const answering = await startStandIn(says('Hello'));
    cleanUps.push(failing.close, answering.close);
    const of = (name: string, { baseUrl }: { baseUrl: string }) => `${name}=openai-compatible:m@${baseUrl}`;
    const { metrics, spans } = await signalsOf({ LLM_MODELS: `${of('main', failing)},${of('backup', answering)}` });
    expect(metrics).toMatch(/oracle_model_fallbacks_total\{model="main",kind="auth",answered_by="backup",[^}]*\} 1/);
    expect(metrics).toMatch(/oracle_model_requests_total\{model="backup",outcome="answered",[^}]*\} 1/);
    const chat = spans.find(({ name }) => name === 'chat main');
    expect(chat?.facts).toMatchObject({ 'gen_ai.request.model': 'main', 'gen_ai.response.model': 'backup' });
  });

  it('continues at the model endpoint, and records the reason of a failure', async () => {
    const parents: unknown[] = [];
    const endpoint = createServer((request, reply) => {
      parents.push(request.headers['traceparent']);
      reply.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise((resolve) => endpoint.close(resolve)));
    const LLM_BASE_URL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
    const { spans, metrics } = await signalsOf({
      LLM_BASE_URL,
      LLM_MODEL: 'm',
      LLM_API_KEY: 'S3CRET',
      OTEL_CAPTURE_CONTENT: '0',
    });
    const modelSpan = spans.find(({ name }) => name === 'chat m');
    expect(modelSpan).toMatchObject({
      status: { code: 2 },
      facts: { 'error.type': 'auth', 'gen_ai.provider.name': 'openai' },
    });
    const request = spans.find(({ parentSpanId }) => parentSpanId === modelSpan?.spanId);
    expect(request).toMatchObject({ name: 'POST', kind: 3, facts: { 'http.response.status_code': 401 } });
    expect(parents).toContain(`00-${traceId}-${request?.spanId}-01`);
    expect(metrics).toMatch(/oracle_model_requests_total\{model="m",outcome="auth",[^}]*\} 1/);
  });
});

describe('a traced turn with a picture', { timeout: 60_000 }, () => {
  it('has no bytes of the picture in its spans, even with message text enabled', async () => {
    const collector = await startTraceCollector();
    cleanUps.push(async () => collector.close());
    const endpoint = await startStandIn(says('A goat'));
    cleanUps.push(endpoint.close);
    const llm = { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'eye', LLM_VISION_MODELS: 'eye' };
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_CAPTURE_CONTENT: 'on' };
    const oracle = await createTestOracle({ env: { ...tracing, ...llm, DOORS: 'openai' } });
    const { headers } = await oracle.newUser();
    const picture = { type: 'image_url', image_url: { url: dataUrl(png, 'image/png') } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] }];
    const reply = await oracle.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers,
      payload: { model: 'eye', messages },
    });
    expect(reply.json()).toMatchObject({ choices: [{ message: { content: 'A goat' } }] });
    await oracle.close();
    const base64 = png.toString('base64');
    expect(JSON.stringify(endpoint.requests[0]?.body)).toContain(base64);
    const sent = collector.received.join();
    expect(sent).toContain('What is this?');
    expect(sent).not.toContain(base64.slice(0, 40));
  });
});
