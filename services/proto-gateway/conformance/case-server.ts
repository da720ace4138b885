import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import type { BoundMethod } from '@mlango/transcoder/http-rules';
import type { UnescapeMode } from '@mlango/transcoder/percent-decoding';
import { buildApp } from '../src/app.js';
import { mountRoutes } from '../src/catalog/routes.js';
import { nodeReadiness } from '../src/nodes/health.js';
import { replyBytesOf } from '../test/support/test-app.js';
import type { CaseDescriptors } from './case-descriptors.js';
import type { CaseRequest } from './cases.js';
import { ScriptedNode } from './scripted-node.js';

export interface CaseReply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** The whole gateway behind a socket, with a scripted node. */
export interface CaseServer {
  readonly node: ScriptedNode;
  send(request: CaseRequest): Promise<CaseReply>;
  close(): Promise<void>;
}

/** Rules are served at their own paths, also those under the chain's own segment. */
const PREFIXES = { current: 'ixo', legacy: [] };

/** @throws {RouteTableError} if the rules cannot be mounted */
export async function startCaseServer(
  descriptors: CaseDescriptors,
  methods: readonly BoundMethod[],
  mode: UnescapeMode,
): Promise<CaseServer> {
  const table = mountRoutes(descriptors.registry, methods, { prefixes: PREFIXES, unescape: mode });
  const catalog = { registry: descriptors.registry, table };
  const node = new ScriptedNode();
  const app = await buildApp({
    version: '0.0.0',
    logger: createLogger({ service: 'conformance', level: 'silent' }),
    catalog: { current: () => catalog },
    prefixes: PREFIXES,
    node,
    readiness: nodeReadiness(node, 500),
    metrics: createMetrics({ service: 'conformance', version: '0.0.0' }),
    metricsAccess: { open: true },
    defaultTimeoutMs: 10_000,
    connections: { stalledMs: 30_000, perAddress: 1000 },
    replyBytes: replyBytesOf(256 * 1024 * 1024),
    streamIdleMs: 10_000,
    now: () => performance.now(),
    // The cases are written from the peer's side; a trusted hop lets the runner be any peer.
    trustProxy: ['127.0.0.0/8'],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  return {
    node,
    send: (request) => send(agent, port, request),
    async close() {
      agent.destroy();
      await app.close();
    },
  };
}

/** Sends the path unchanged; a URL object would normalise it. */
async function send(
  agent: Agent,
  port: number,
  { method, path, query, headers, body }: CaseRequest,
): Promise<CaseReply> {
  const outgoing = httpRequest({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: [
      'Host',
      'gateway.example',
      ...headers.flat(),
      ...(body === '' ? [] : ['Content-Length', String(Buffer.byteLength(body))]),
    ],
  });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
  return { status: incoming.statusCode, contentType: incoming.headers['content-type'] ?? '', text };
}
