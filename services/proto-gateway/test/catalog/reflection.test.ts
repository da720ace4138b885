import { type MockNode, startMockNode } from '@mlango/mock-node/server';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configuredApp } from '../support/configured-app.js';
import { expectError } from '../support/gateway-on-node.js';
import { startReflectingNode } from '../support/reflecting-node.js';

const patient = { timeout: 10_000, interval: 20 };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startGateway(target: string, env: Record<string, string> = {}): Promise<HttpApp> {
  const app = await configuredApp({ PROTO_DISCOVERY: 'reflection', GRPC_TARGETS: target, ...env });
  closing.push(() => app.close());
  return app;
}

async function startNode(port = 0): Promise<MockNode> {
  const node = await startMockNode({ port, drainMs: 0 });
  closing.push(() => node.close());
  return node;
}

const isReady = (app: HttpApp) =>
  vi.waitFor(async () => expect((await app.inject('/health/ready')).statusCode).toBe(200), patient);

describe('a gateway with discovery by reflection', () => {
  it('mounts the rpcs of the node', async () => {
    const app = await startGateway((await startNode()).address);
    await isReady(app);
    const reply = await app.inject('/proto/entity/did:ixo:entity:e0001');
    expect([reply.statusCode, reply.json().entity.id]).toEqual([200, 'did:ixo:entity:e0001']);
    expect((await app.inject('/ixo/claims/claims?pagination.limit=1')).headers['deprecation']).toBeDefined();
    expect((await app.inject('/docs/json')).json().paths).toHaveProperty(['/proto/token/params', 'get']);
    const { servers: _, ...document } = (await app.inject('/openapi.json')).json();
    expect((await app.inject('/docs/json')).json()).toMatchObject(document);
  });

  it('answers 501 with the name of an rpc of the build that the node lacks', async () => {
    const node = await startReflectingNode();
    closing.push(() => node.close());
    const app = await startGateway(node.address);
    await isReady(app);
    const message = expectError(await app.inject('/proto/token/params'), 501, 12);
    expect(message).toBe('ixo.token.v1beta1.Query/Params is not available on this chain node');
    const document = (await app.inject('/openapi.json')).json();
    expect(document.paths['/proto/token/params'].get.description).toContain('answers 501');
    const index = (await app.inject('/')).json();
    const token = index.services.find((service: { name: string }) => service.name === 'ixo.token.v1beta1.Query');
    expect(token.methods[0].disabled).toBe(true);
  });

  it('starts while the node is unreachable, and is ready after the first discovery', async () => {
    const first = await startMockNode({ drainMs: 0 });
    const { address, port } = first;
    await first.close();
    const app = await startGateway(address);
    const reply = await app.inject('/proto/token/params');
    expectError(reply, 503, 14);
    expect(reply.headers['retry-after']).toBe('2');
    expectError(
      await app.inject({ method: 'POST', url: '/proto/batch', payload: { paths: ['/proto/token/params'] } }),
      503,
      14,
    );
    expect((await app.inject('/openapi.json')).json().paths).not.toHaveProperty(['/proto/token/params']);
    const report = await app.inject('/health/ready');
    expect([report.statusCode, report.json().checks.catalog]).toEqual([503, 'down']);
    expect((await app.inject('/health')).statusCode).toBe(200);
    expect((await app.inject('/')).json().services).toEqual([]);
    await startNode(port);
    await isReady(app);
    expect((await app.inject('/proto/token/params')).statusCode).toBe(200);
    expect((await app.inject('/openapi.json')).json().paths).toHaveProperty(['/proto/token/params']);
  });

  it('falls back to v1alpha, file by file, and serves unknown methods', async () => {
    const node = await startReflectingNode();
    closing.push(() => node.close());
    const app = await startGateway(node.address);
    await isReady(app);
    expect((await app.inject('/everything/v1/hello')).json()).toMatchObject({ string_value: 'hello' });
    expect(node.questions()).toBeGreaterThan(3);
  });

  it('uses another node if one is unreachable', async () => {
    const ended = await startMockNode({ drainMs: 0 });
    await ended.close();
    const node = await startNode();
    const app = await startGateway(`${ended.address},${node.address}`);
    await vi.waitFor(async () => expect((await app.inject('/proto/token/params')).statusCode).toBe(200), patient);
  });

  it('disables named methods, known or not', async () => {
    const node = await startNode();
    const app = await startGateway(node.address, {
      PROTO_DISABLED_METHODS: 'ixo.token.v1beta1.Query,not.there.Query/X',
    });
    await isReady(app);
    expect(expectError(await app.inject('/proto/token/params'), 501, 12)).toContain('disabled');
  });
});
