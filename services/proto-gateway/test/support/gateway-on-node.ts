import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import { rpcError } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';
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
