import { performance } from 'node:perf_hooks';
import type { FileRegistry } from '@bufbuild/protobuf';
import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { type Channel, createChannel, type NodeOptions } from '@mlango/grpc-channel';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { builtInRegistry } from '@mlango/test-services/descriptors';
import { type AppDeps, buildApp } from '../../src/app.js';
import type { Catalog } from '../../src/catalog/catalog.js';
import { buildRouteTable, type RouteTable, type RouteTableOptions } from '../../src/catalog/routes.js';
import { OPEN_CHANNEL } from '../../src/deps/open-node.js';
import { blockHeights } from '../../src/nodes/block-positions.js';
import { ReplyBytes } from '../../src/nodes/byte-budget.js';
import { type ChainNode, nodeOverChannel } from '../../src/nodes/chain-node.js';
import { nodeReadiness } from '../../src/nodes/health.js';
import type { ChannelKind } from '../../src/nodes/targets.js';

export interface TestAppOptions
  extends Partial<AppDeps>,
    Pick<RouteTableOptions, 'disabled' | 'pages' | 'unknownQuery' | 'invalidUtf8'> {
  readonly registry?: FileRegistry;
  readonly table?: RouteTable;
}

/** Channels to real nodes, built like those of the service, without probes. */
export function channelTo(...targets: readonly string[]): ChainNode {
  return channelOver('http2', ...targets);
}

/** Like `channelTo`, over a channel of a kind. */
export function channelOver(kind: ChannelKind, ...targets: readonly string[]): ChainNode {
  return poolOver(OPEN_CHANNEL[kind], targets);
}

/** Like `channelTo`, over channels of the test. */
export function poolOver(open: (options: NodeOptions) => Channel, targets: readonly string[] = ['node:1']): ChainNode {
  return nodeOverChannel(createChannel({ targets, open, probe: async () => ({}), positions: blockHeights(3) }));
}

/** Budget for reply bytes; by default one address may use all of it. */
export function replyBytesOf(total: number, ofAddress = total): ReplyBytes {
  return new ReplyBytes(new FairSemaphore({ name: 'reply_bytes', total, shares: { address: ofAddress } }));
}

const DEFAULT_PREFIXES = { current: 'proto', legacy: ['ixo'] };

let defaultCatalog: Catalog | undefined;

/** The catalog of the defaults. It is built once, because reading all descriptors takes longer than most tests. */
function openDefaultCatalog(): Catalog {
  if (defaultCatalog === undefined) {
    const registry = builtInRegistry();
    defaultCatalog = { registry, table: buildRouteTable(registry, { prefixes: DEFAULT_PREFIXES }) };
  }
  return defaultCatalog;
}

/** The app over a node, with default settings. */
export async function testApp(node: ChainNode, options: TestAppOptions = {}): Promise<HttpApp> {
  const { disabled, pages, unknownQuery, invalidUtf8, registry: chosen, table, ...deps } = options;
  const { registry } = chosen === undefined ? openDefaultCatalog() : { registry: chosen };
  const prefixes = deps.prefixes ?? DEFAULT_PREFIXES;
  const rules = { disabled, pages, unknownQuery, invalidUtf8 };
  const isDefault = [disabled, pages, unknownQuery, invalidUtf8, table, chosen, options.prefixes].every(
    (option) => option === undefined,
  );
  const catalog = isDefault
    ? openDefaultCatalog()
    : { registry, table: table ?? buildRouteTable(registry, { prefixes, ...rules }) };
  const app = await buildApp({
    version: '0.0.0',
    logger: createLogger({ service: 'test', level: 'silent' }),
    catalog: { current: () => catalog },
    prefixes,
    node,
    readiness: nodeReadiness(node, 900),
    metrics: createMetrics({ service: 'test', version: '0.0.0' }),
    metricsAccess: { open: true },
    defaultTimeoutMs: 10_000,
    connections: { stalledMs: 30_000, perAddress: 1000 },
    replyBytes: replyBytesOf(256 * 1024 * 1024),
    streamIdleMs: 60_000,
    now: () => performance.now(),
    trustProxy: false,
    ...deps,
  });
  app.addHook('onClose', async () => node.close());
  // A test runs on the app's own event loop: a busy loop is no overload.
  return Object.assign(app, { isUnderPressure: () => false });
}
