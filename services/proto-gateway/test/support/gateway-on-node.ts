import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import { rpcError } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { rawRequest } from '@mlango/test-services/raw-request';
import { afterAll, beforeAll, expect } from 'vitest';
import { channelTo, type TestAppOptions, testApp } from './test-app.js';

/** The gateway of a test file over a node of its own, started before its tests and closed after them. */
export function gatewayOnNode(options: TestAppOptions = {}) {
  let node: MockNode;
  let app: HttpApp;

  beforeAll(async () => {
    node = await startMockNode();
    app = await testApp(channelTo(node.address), options);
  });
  afterAll(async () => {
    await app.close();
    await node.close();
  });

  return {
    /** Defined while the tests run. */
    app: () => app,
    node: () => node,
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers }),
    /** A second gateway over the same node, closed after use. */
    withApp: async <T>(options: TestAppOptions, use: (other: HttpApp) => Promise<T>): Promise<T> => {
      const other = await testApp(channelTo(node.address), options);
      try {
        return await use(other);
      } finally {
        await other.close();
      }
    },
  };
}

/** The reply to HEAD as it is sent over a socket: `inject` of Fastify for Node 20 adds the body of some. */
export async function headOf(app: HttpApp, url: string, headers: Record<string, string> = {}) {
  const base = app.server.listening ? app.listeningOrigin : await app.listen({ port: 0, host: '127.0.0.1' });
  const fields = Object.entries({ host: 'gateway', connection: 'close', ...headers });
  const lines = [`HEAD ${url} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), ''];
  const [head = '', body] = (await rawRequest(base, lines)).split('\r\n\r\n');
  const [status = '', ...sent] = head.split('\r\n');
  return {
    statusCode: Number(status.split(' ')[1]),
    headers: Object.fromEntries(sent.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]])),
    body,
  };
}

/** Headers that make the node fail in a named way. */
export const fault = (name: string) => ({ 'grpc-metadata-x-mock-fault': name });

/** Every error has the common shape, without internal details. */
export function expectError(
  reply: { statusCode: number; json(): unknown; body: string },
  status: number,
  code: number,
): string {
  expect(reply.statusCode).toBe(status);
  const error = rpcError.parse(reply.json());
  expect(error.code).toBe(code);
  expect(reply.body).not.toMatch(/127\.0\.0\.1|ECONN|at .*\.[jt]s|node_modules/);
  return error.message;
}
