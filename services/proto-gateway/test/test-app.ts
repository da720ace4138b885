import { performance } from 'node:perf_hooks';
import type { FileRegistry } from '@bufbuild/protobuf';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { builtInRegistry } from '@mlango/test-services/descriptors';
import { type AppDeps, buildApp } from '../src/app.js';
import { buildRouteTable, type RouteTable } from '../src/catalog/route-table.js';
import { ByteBudget } from '../src/upstream/byte-budget.js';
import type { ChainNode } from '../src/upstream/chain-node.js';
import { nodeReadiness } from '../src/upstream/node-readiness.js';
import { type ChannelKind, openChainNode } from '../src/upstream/open-chain-node.js';
import { poolOf } from './pool-of.js';

export interface TestAppOptions extends Partial<AppDeps> {
  readonly disabled?: readonly string[];
  readonly registry?: FileRegistry;
  readonly table?: RouteTable;
}

/** Channels to real nodes, as the service builds them. */
export function channelTo(...targets: readonly [string, ...string[]]): ChainNode {
  return channelOver('lean', ...targets);
}

/** As `channelTo`, over a channel of a kind. */
export function channelOver(channel: ChannelKind, ...targets: readonly [string, ...string[]]): ChainNode {
  const [first, ...more] = targets;
  const open = (target: string) => openChainNode(channel, { target, maxReceiveBytes: 16 * 1024 * 1024 });
  return poolOf([open(first), ...more.map(open)]);
}

/** The app over a node, with every setting at its default unless given. */
export async function testApp(node: ChainNode, options: TestAppOptions = {}): Promise<HttpApp> {
  const { disabled = [], registry = builtInRegistry(), table, ...deps } = options;
  const prefixes = deps.prefixes ?? { current: 'proto', legacy: ['ixo'] };
  const catalog = { registry, table: table ?? buildRouteTable(registry, { prefixes, disabled }) };
  const app = await buildApp({
    version: '0.0.0',
    logger: createLogger({ service: 'test', level: 'silent' }),
    catalog: { current: () => catalog },
    prefixes,
    node,
    readiness: nodeReadiness(node, 900),
    metrics: createMetrics({ service: 'test', version: '0.0.0' }),
    metricsAccess: { open: true },
    unknownQuery: 'warn',
    pages: { defaultLimit: 100n, maxLimit: 1000n },
    defaultTimeoutMs: 10_000,
    sockets: { stalledMs: 30_000, perAddress: 1000 },
    replyBytes: new ByteBudget(256 * 1024 * 1024),
    streamIdleMs: 60_000,
    now: () => performance.now(),
    trustProxy: false,
    ...deps,
  });
  app.addHook('onClose', async () => node.close());
  // A test works on the app's own event loop: that it keeps the loop busy is no overload.
  return Object.assign(app, { isUnderPressure: () => false });
}
