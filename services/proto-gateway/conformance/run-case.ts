import { fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf';
import type { BoundMethod } from '@mlango/transcoder/http-rules';
import { parseTemplate } from '@mlango/transcoder/parse-template';
import type { CaseDescriptors } from './case-descriptors.js';
import { type CaseServer, startCaseServer } from './case-server.js';
import type { CaseOf, CaseRequest, GatewayCase, Rule } from './cases.js';
import { type Differences, expectMessage, expectSame, readJson } from './expectations.js';
import { runMarshal } from './run-marshal.js';

/** Servers by their rules: cases share them, and each is closed at the end. */
export interface CaseContext {
  readonly descriptors: CaseDescriptors;
  serverFor(rules: readonly Rule[], mode: CaseOf<'route'>['mode']): Promise<CaseServer>;
  streamServer(): Promise<CaseServer>;
}

const PLAIN_RULE: Rule = { method: 'GET', template: '/v1', body: '' };
const PLAIN_REQUEST: CaseRequest = { method: 'GET', path: '/v1', query: '', headers: [], body: '' };
const SERVING_STATUS = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];

/** Runs one case and returns the differences from its expectations. */
export async function runCase(test: GatewayCase, context: CaseContext): Promise<Differences> {
  switch (test.kind) {
    case 'route':
      return runRoute(test, context);
    case 'template':
      return expectSame('valid', 'template' in parseTemplate(test.template), test.expect.valid);
    case 'status':
    case 'error':
      return runFailure(test, context);
    case 'header':
      return runHeader(test, context);
    case 'timeout':
      return runTimeout(test, context);
    case 'marshal':
      return runMarshal(test, context.descriptors, await context.serverFor([PLAIN_RULE], ''));
    case 'stream':
      return runStream(test, context);
    case 'health':
      return runHealth(test, context);
  }
}

async function runRoute(test: CaseOf<'route'>, context: CaseContext): Promise<Differences> {
  const server = await context.serverFor(test.rules, test.mode);
  const reply = await send(server, test.request);
  const { status, rule, request, grpc_code: code } = test.expect;
  const differences = expectSame('status', reply.status, status);
  if (code !== undefined) differences.push(...expectSame('body.code', codeOf(reply.text), code));
  if (status !== 200 || reply.status !== 200) return differences;
  const call = server.node.lastCall;
  const called = context.descriptors.registry
    .getService('gateway_conformance.Rules')
    ?.methods.findIndex((method) => `/gateway_conformance.Rules/${method.name}` === call?.path);
  if (rule !== undefined) differences.push(...expectSame('rule', called, rule));
  if (request !== undefined && call !== undefined) {
    const { message, registry } = context.descriptors;
    differences.push(...expectMessage(message, registry, call.request, asJson(request)));
  }
  return differences;
}

async function runFailure(test: CaseOf<'status' | 'error'>, context: CaseContext): Promise<Differences> {
  const server = await context.serverFor([PLAIN_RULE], '');
  server.node.script = { code: test.code, message: test.kind === 'error' ? test.message : 'example' };
  const reply = await send(server, PLAIN_REQUEST);
  const differences = expectSame('status', reply.status, test.expect.status);
  if (test.kind === 'error' && test.expect.body !== undefined) {
    differences.push(...expectSame('body', readJson(reply.text), test.expect.body));
  }
  return differences;
}

async function runHeader(test: CaseOf<'header'>, context: CaseContext): Promise<Differences> {
  const server = await context.serverFor([{ ...PLAIN_RULE, template: test.request.path }], '');
  const peer: [string, string] = ['X-Forwarded-For', '192.0.2.100'];
  const reply = await send(server, { ...test.request, headers: [...test.request.headers, peer] });
  const metadata = server.node.lastCall?.metadata ?? [];
  const valuesOf = (name: string) => metadata.filter(([key]) => key === name).map(([, value]) => value);
  return [
    ...expectSame('status', reply.status, test.expect.status ?? 200),
    ...Object.entries(test.expect.metadata_contains).flatMap(([name, values]) =>
      expectSame(name, valuesOf(name), values),
    ),
    ...test.expect.metadata_absent.flatMap((name) => expectSame(name, valuesOf(name), [])),
  ];
}

async function runTimeout(test: CaseOf<'timeout'>, context: CaseContext): Promise<Differences> {
  const server = await context.serverFor([{ ...PLAIN_RULE, template: test.request.path }], '');
  const reply = await send(server, test.request);
  const { status = 200, deadline_ms: deadline } = test.expect;
  const differences = expectSame('status', reply.status, status);
  if (deadline !== undefined) differences.push(...expectSame('deadline', server.node.lastCall?.timeoutMs, deadline));
  return differences;
}

async function runStream(test: CaseOf<'stream'>, context: CaseContext): Promise<Differences> {
  const { message, registry } = context.descriptors;
  const server = await context.streamServer();
  const stream = test.messages.map((json) => toBinary(message, fromJson(message, asJson(json), { registry })));
  server.node.script = { code: test.end_status, message: test.end_message, stream };
  const reply = await server.send(PLAIN_REQUEST);
  const differences = expectSame('status', reply.status, test.expect.status);
  const { body, lines } = test.expect;
  if (typeof body === 'string') differences.push(...expectSame('body', reply.text, body));
  else if (body !== undefined) differences.push(...expectSame('body', readJson(reply.text), body));
  if (lines !== undefined)
    differences.push(...expectSame('lines', reply.text.trimEnd().split('\n').map(readJson), lines));
  return differences;
}

async function runHealth(test: CaseOf<'health'>, context: CaseContext): Promise<Differences> {
  const server = await context.serverFor([PLAIN_RULE], '');
  server.node.script = { code: test.code, reply: Uint8Array.of(0x08, SERVING_STATUS.indexOf(test.serving_status)) };
  const reply = await server.send({ ...PLAIN_REQUEST, path: '/health/ready' });
  const mediaType = reply.contentType.split(';', 1)[0];
  return [
    ...expectSame('status', reply.status, test.expect.status),
    ...expectSame('content type', mediaType, test.expect.content_type ?? mediaType),
  ];
}

async function send(server: CaseServer, request: CaseRequest) {
  server.node.lastCall = undefined;
  return server.send(request);
}

function codeOf(text: string): unknown {
  const body = readJson(text);
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

function asJson(value: Record<string, unknown>): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** Caches the servers of a run. */
export function caseContext(descriptors: CaseDescriptors): CaseContext & { close(): Promise<void> } {
  const servers = new Map<string, Promise<CaseServer>>();
  const shared = async (key: string, start: () => Promise<CaseServer>): Promise<CaseServer> => {
    const running = servers.get(key) ?? start();
    servers.set(key, running);
    const server = await running;
    server.node.script = {};
    return server;
  };
  const bind = (rule: Rule, rpc: BoundMethod['rpc']): BoundMethod => ({
    rpc,
    bindings: [{ ...rule, responseBody: '' }],
  });
  return {
    descriptors,
    serverFor: (rules, mode) =>
      shared(JSON.stringify([mode, rules]), () => {
        const methods = rules.map((rule, index) => bind(rule, descriptors.method(index)));
        return startCaseServer(descriptors, methods, mode === '' ? 'legacy' : mode);
      }),
    streamServer: () =>
      shared('stream', () => startCaseServer(descriptors, [bind(PLAIN_RULE, descriptors.stream)], 'legacy')),
    async close() {
      const started = await Promise.allSettled(servers.values());
      for (const outcome of started) if (outcome.status === 'fulfilled') await outcome.value.close();
    },
  };
}
