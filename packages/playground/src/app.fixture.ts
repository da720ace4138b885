import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Readiness } from '@mlango/service-kit/health';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { type AppDeps, buildApp } from './app.js';
import { Connections } from './connections.js';

/** A page of two files, as the build leaves one. */
function builtPage(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Mlango</title>');
  writeFileSync(join(folder, 'assets/index-abc123.js'), 'export {};');
  return pathToFileURL(`${folder}/`);
}

/** A service on loopback that answers with the request it received. */
export async function echoService(): Promise<{ url: string; server: Server; close: () => Promise<void> }> {
  const server = createServer((request, response) => void echo(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.startsWith('/runs/endless') === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\nevent: message\ndata: {}\n\n');
    return;
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
}

/** The app, listening, with every service replaced by one. */
export async function openTestApp(url: string, change: Partial<AppDeps> = {}): Promise<HttpApp> {
  const app = await buildApp({
    version: '0.0.0',
    logger: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test', version: '0.0.0' }),
    metricsAccess: { open: false, token: undefined },
    readiness: new Readiness({}),
    trustProxy: false,
    rateLimit: { max: 100_000, windowMs: 60_000, store: memoryRateLimitStore() },
    pageFolder: builtPage(),
    lines: new Connections({ now: () => performance.now(), limit: 100 }),
    settings: { handset: true, topUps: false, serviceCode: '*384#', oracleDid: 'did:ixo:entity:e0001' },
    services: {
      ussd: { url, secret: 'a secret of the gateway' },
      oracle: { url },
      chain: { url, apiKey: 'a key of the gateway' },
    },
    ...change,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A test works on the app's own event loop: a busy loop is no overload here.
  return Object.assign(app, { isUnderPressure: () => false });
}

export interface TestRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
}

/** Sends a request over a separate connection, its path byte for byte, to a listening app. */
export function sendRequest(app: HttpApp, target: string | TestRequest) {
  const { url, method = 'GET', headers = {}, payload = '' } = typeof target === 'string' ? { url: target } : target;
  const { port } = app.server.address() as AddressInfo;
  return new Promise<{ statusCode: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body }));
    });
    call.on('error', reject);
    call.end(payload);
  });
}
