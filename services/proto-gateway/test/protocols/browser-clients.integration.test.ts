import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CancelSignal } from '@mlango/grpc-channel';
import { startMockNode } from '@mlango/mock-node/server';
import { everythingRegistry } from '@mlango/test-services/descriptors';
import { findChromium } from '@mlango/test-services/find-chromium';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { goesOn, streamOf } from '../support/node-of-streams.js';
import { channelTo, testApp } from '../support/test-app.js';

const executablePath = findChromium();
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Import map entries of a package, from its exports. */
function importsOf(name: string): [string, string][] {
  const manifest = JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8'));
  const entries: [string, { import?: string }][] = Object.entries(manifest.exports);
  return entries.flatMap(([subpath, { import: file }]) =>
    file === undefined ? [] : [[join(name, subpath), `/${join(name, file)}`]],
  );
}

const imports = Object.fromEntries(
  ['@bufbuild/protobuf', '@connectrpc/connect', '@connectrpc/connect-web'].flatMap(importsOf),
);

/** A page that loads the published files of the clients unmodified, and calls them. */
const PAGE = (gateway: string) => `<!doctype html><title>clients</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script src="/grpc-web.js"></script>
<script type="module">
  import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
  import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
  import { ConnectError, createClient } from '@connectrpc/connect';
  import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';

  const image = new Uint8Array(await (await fetch('/descriptor.binpb')).arrayBuffer());
  const service = createFileRegistry(fromBinary(FileDescriptorSetSchema, image)).getService('ixo.entity.v1beta1.Query');
  const { input, output } = service.method.entity;
  const baseUrl = '${gateway}';
  const ids = ['did:ixo:entity:e0001', 'did:ixo:entity:details-5'];
  const said = {};
  for (const [name, transport] of Object.entries({
    connect: createConnectTransport({ baseUrl, useBinaryFormat: true }),
    'connect by get': createConnectTransport({ baseUrl, useHttpGet: true }),
    'connect grpc-web': createGrpcWebTransport({ baseUrl }),
  })) {
    const client = createClient(service, transport);
    const headers = { 'x-mock-echo-a': 'b' };
    const ask = (id) => {
      let echo;
      const reply = client.entity({ id }, { headers, onHeader: (all) => (echo = all.get('x-mock-echo-a')) });
      return reply.then(({ entity }) => [entity.type, echo], (error) => [ConnectError.from(error).code, error.details.length]);
    };
    said[name] = await Promise.all(ids.map(ask));
  }
  const { GrpcWebClientBase, MethodDescriptor, MethodType } = module.exports;
  const method = new MethodDescriptor('/ixo.entity.v1beta1.Query/Entity', MethodType.UNARY, Object, Object,
    (message) => toBinary(input, message), (bytes) => fromBinary(output, bytes));
  for (const format of ['binary', 'text']) {
    const client = new GrpcWebClientBase({ format });
    const ask = (id) => new Promise((resolve) => {
      let echo;
      client.rpcCall(baseUrl + '/ixo.entity.v1beta1.Query/Entity', create(input, { id }), { 'x-mock-echo-a': 'b' }, method,
        (error, reply) => setTimeout(() => resolve(error === null ? [reply.entity.type, echo] : [error.code, Object.keys(error.metadata).length])),
      ).on('metadata', (all) => (echo = all['x-mock-echo-a']));
    });
    said['grpc-web ' + format] = await Promise.all(ids.map(ask));
  }
  globalThis.said = said;
</script>`;

async function servePage(gateway: () => string): Promise<Server> {
  const file = (path: string): [type: string, body: string | Buffer] => {
    if (path === '/') return ['text/html', PAGE(gateway())];
    if (path === '/descriptor.binpb')
      return ['application/octet-stream', readFileSync(join(MODULES, '@mlango/proto/dist', path))];
    if (path === '/grpc-web.js') {
      const source = readFileSync(join(MODULES, 'grpc-web/index.js'), 'utf8');
      return ['text/javascript', `var module = { exports: {} }, exports = module.exports;${source}`];
    }
    return ['text/javascript', readFileSync(join(MODULES, normalize(path)))];
  };
  const server = createServer((request, response) => {
    try {
      const [type, body] = file(request.url ?? '/');
      response.setHeader('content-type', type).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(executablePath === undefined)('a page in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser;
  let close: () => Promise<void>;
  let page: string;

  beforeAll(async () => {
    let gateway = '';
    const server = await servePage(() => gateway);
    page = `http://localhost:${(server.address() as AddressInfo).port}`;
    const node = await startMockNode();
    const app = await testApp(channelTo(node.address), { corsOrigins: [page] });
    gateway = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
    close = async () => {
      await browser.close();
      app.server.closeAllConnections();
      await app.close();
      await node.close();
      server.close();
    };
  });
  afterAll(() => close());

  it('reads a stream of grpc-web incrementally, and cancels it at the node when it leaves', async () => {
    const signals: CancelSignal[] = [];
    const endless = await testApp(streamOf(goesOn, signals), { registry: everythingRegistry(), corsOrigins: [page] });
    const url = `${await endless.listen({ port: 0, host: '127.0.0.1' })}/everything.v1.Service/Watch`;
    const tab = await browser.newPage();
    await tab.goto(page);
    const first = await tab.evaluate(`new Promise((resolve, reject) => {
      const { GrpcWebClientBase, MethodDescriptor, MethodType } = module.exports;
      const labelOf = (leaf) => new TextDecoder().decode(leaf.subarray(2));
      const watch = new MethodDescriptor('/everything.v1.Service/Watch', MethodType.SERVER_STREAMING, Object, Object, () => new Uint8Array(), labelOf);
      const call = new GrpcWebClientBase({ format: 'text' }).serverStreaming('${url}', {}, {}, watch);
      call.on('data', (label) => (call.cancel(), resolve(label)));
      call.on('error', (error) => reject(new Error(error.message)));
    })`);
    expect(first).toBe('a');
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    endless.server.closeAllConnections();
    await endless.close();
  });

  it('of another origin uses the published connect-web and grpc-web', async () => {
    const tab = await browser.newPage();
    const complaints: string[] = [];
    tab.on('pageerror', (error) => complaints.push(error.message));
    await tab.goto(page);
    const written = await tab.waitForFunction('globalThis.said', undefined, { timeout: 30_000 }).catch(() => undefined);
    expect(complaints).toEqual([]);
    expect(await written?.jsonValue()).toEqual({
      connect: [
        ['oracle', 'b'],
        [5, 3],
      ],
      'connect by get': [
        ['oracle', 'b'],
        [5, 3],
      ],
      'connect grpc-web': [
        ['oracle', 'b'],
        [5, 3],
      ],
      'grpc-web binary': [
        ['oracle', 'b'],
        [5, expect.any(Number)],
      ],
      'grpc-web text': [
        ['oracle', 'b'],
        [5, expect.any(Number)],
      ],
    });
  });
});
