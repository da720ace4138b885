import { startMockNode } from '@mlango/mock-node/server';
import type { RateLimitOptions } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { startRawNode } from '@mlango/test-services/raw-node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testApp } from '../../test/support/test-app.js';
import { readConfig } from '../config.js';
import { openNode } from '../deps/open-node.js';
import { sharedPools } from '../deps.js';
import { callTo } from '../nodes/chain-node.contract.js';
import { NODES_PATH } from './require-access.js';

const patient = { timeout: 10_000, interval: 20 };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function gatewayOver(targets: string, access: { token?: string; open: boolean }, rateLimit?: RateLimitOptions) {
  const metrics = createMetrics({ service: 'test', version: '0.0.0' });
  const config = readConfig({ GRPC_TARGETS: targets });
  const calls = sharedPools(config).nodeCalls;
  const node = openNode(config.nodes, metrics, createLogger({ service: 'test', level: 'silent' }), { calls });
  const app = await testApp(node, {
    metricsAccess: access,
    nodes: () => node.nodes(),
    ...(rateLimit && { rateLimit }),
  });
  closing.push(() => app.close());
  return { app, node };
}

describe('the page of the nodes', () => {
  it('shows the state of each node', async () => {
    const good = await startMockNode({ drainMs: 0 });
    const silent = await startRawNode();
    closing.push(
      () => good.close(),
      () => silent.close(),
    );
    const targets = `${good.address}@501-,${silent.address}@4-500,127.0.0.1:1@-3`;
    const { app, node } = await gatewayOver(targets, { open: true });
    const cancellation = new AbortController();
    const hanging = node.call(
      callTo('Hang', { metadata: [['x-cosmos-block-height', '7']], timeoutMs: 60_000, signal: cancellation.signal }),
    );
    hanging.catch(() => {});
    await vi.waitFor(async () => {
      const reply = await app.inject(NODES_PATH);
      expect(reply.statusCode).toBe(200);
      const { nodes } = reply.json();
      expect(nodes).toMatchObject([
        {
          node: good.address,
          state: 'live',
          heights: 'from 501',
          lag_blocks: 0,
          failures: 0,
          rests: 0,
          calls_running: 0,
        },
        {
          node: silent.address,
          heights: '4 to 500',
          calls_running: 1,
          height: null,
          lag_blocks: null,
          block_time: null,
        },
        { node: '127.0.0.1:1', state: 'away', heights: 'up to 3', height: null, latency_ms: null },
      ]);
      expect(nodes[0].height).toBeGreaterThan(0);
      expect(nodes[0].latency_ms).toBeGreaterThan(0);
      expect(Math.abs(Date.parse(nodes[0].block_time) - Date.now())).toBeLessThan(60_000);
    }, patient);
    cancellation.abort();
  });

  it('is for operators, like the metrics', async () => {
    const [closed, guarded] = [
      await gatewayOver('127.0.0.1:1', { open: false }),
      await gatewayOver('127.0.0.1:1', { token: 'of-an-operator', open: false }),
    ];
    const send = (app: typeof closed.app, token?: string) =>
      app.inject({ url: NODES_PATH, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    expect((await send(closed.app)).statusCode).toBe(404);
    expect((await send(guarded.app)).statusCode).toBe(401);
    expect((await send(guarded.app, 'of-another')).statusCode).toBe(401);
    expect((await send(guarded.app, 'of-an-operator')).json().nodes).toHaveLength(1);
  });

  it.each([NODES_PATH, '/metrics'])('limits guesses at the token by address at %s', async (url) => {
    const rateLimit = { max: 3, windowMs: 60_000, store: memoryRateLimitStore() };
    const { app } = await gatewayOver('127.0.0.1:1', { token: 'of-an-operator', open: false }, rateLimit);
    const statuses: number[] = [];
    for (const guess of ['a', 'b', 'c', 'd'])
      statuses.push((await app.inject({ url, headers: { authorization: `Bearer ${guess}` } })).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
