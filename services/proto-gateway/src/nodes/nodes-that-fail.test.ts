import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics, type Metrics } from '@mlango/service-kit/metrics';
import { type RawNode, startRawNode } from '@mlango/test-services/raw-node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.js';
import { openNode } from '../deps/open-node.js';
import { sharedPools } from '../deps.js';
import { callTo } from './chain-node.contract.js';
import type { ChainNode } from './chain-node.js';

const patient = { timeout: 15_000, interval: 20 };
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function rawNode(port?: number): Promise<RawNode> {
  const node = await startRawNode(port);
  closing.push(() => node.close());
  return node;
}

/** An HTTP/2 server that answers pings, and no call. */
async function silentNode(): Promise<{ target: string; calls: () => number }> {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  let calls = 0;
  server.on('session', (session) => void sessions.add(session));
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    calls += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { target: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
}

function pool(channel: string, ...targets: readonly string[]): { nodes: ChainNode; metrics: Metrics } {
  const metrics = createMetrics({ service: 'test', version: '0.0.0' });
  const config = readConfig({ GRPC_TARGETS: targets.join(), GRPC_CHANNEL: channel });
  const nodes = openNode(config.nodes, metrics, createLogger({ service: 'test', level: 'silent' }), {
    calls: sharedPools(config).nodeCalls,
  });
  closing.push(() => nodes.close());
  return { nodes, metrics };
}

/** The number of nodes that are reported as unavailable or failing. */
async function troubled(metrics: Metrics): Promise<number> {
  const text = await metrics.registry.metrics();
  const names = [...text.matchAll(/^proto_gateway_node_(?:away|failing)\{node="([^"]*)"[^}]*\} 1$/gm)].map(
    ([, name]) => name,
  );
  return new Set(names).size;
}

/** Sends that many queries, 20 at a time, and counts the failures. */
async function failuresOf(nodes: ChainNode, queries: number): Promise<number> {
  let [left, failures] = [queries, 0];
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await nodes.call(callTo('Echo', { timeoutMs: 5000 })).catch(() => {
        failures += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
  return failures;
}

describe.each(['http2', 'grpc-js'])('three nodes over the %s channel', (channel) => {
  it('fail no query once two are known to be dead, and are all used after recovery', async () => {
    const raw = [await rawNode(), await rawNode(), await rawNode()];
    const { nodes, metrics } = pool(channel, ...raw.map(({ address }) => address));
    expect(await failuresOf(nodes, 100)).toBe(0);
    const [first, second, third] = raw;
    await first?.close();
    await second?.close();
    await vi.waitFor(async () => expect(await troubled(metrics)).toBe(2), patient);
    expect(await failuresOf(nodes, 1000)).toBe(0);
    const back = [await rawNode(first?.port), await rawNode(second?.port)];
    await vi.waitFor(async () => expect(await troubled(metrics)).toBe(0), patient);
    expect(await failuresOf(nodes, 200)).toBe(0);
    for (const node of [...back, third]) expect(node?.calls.length).toBeGreaterThan(10);
  });
});

describe('a node that answers pings alone', () => {
  it('costs one slow call at most', async () => {
    const silent = await silentNode();
    const { nodes, metrics } = pool('http2', silent.target, (await rawNode()).address);
    const send = () =>
      nodes.call(callTo('Echo', { timeoutMs: 1500 })).then(
        () => 0,
        () => 1,
      );
    let slow = 0;
    for (let count = 0; count < 20; count += 1) slow += await send();
    expect(slow).toBeLessThanOrEqual(1);
    await vi.waitFor(async () => expect(await troubled(metrics)).toBe(1), patient);
    const probes = silent.calls();
    // More probes do not bring calls to it.
    await vi.waitFor(() => expect(silent.calls()).toBeGreaterThan(probes + 2), patient);
    for (let count = 0; count < 20; count += 1) slow += await send();
    expect(slow).toBeLessThanOrEqual(1);
  });
});
