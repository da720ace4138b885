import * as grpc from '@grpc/grpc-js';
import type { FairSemaphore } from '@mlango/async/fair-semaphore';
import {
  type ByteAllowance,
  type Channel,
  type ConnectProblem,
  covers,
  createChannel,
  http2Channel,
  type NodeOptions,
  type NodeReport,
  type Outage,
} from '@mlango/grpc-channel';
import { grpcJsChannel } from '@mlango/grpc-channel/grpc-js';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from '../config.js';
import { blockHeights, blockProbe } from '../nodes/block-positions.js';
import { limitCalls } from '../nodes/call-limit.js';
import { type ChainNode, nodeOverChannel } from '../nodes/chain-node.js';
import { type ChannelKind, nodesOf } from '../nodes/targets.js';
import { BlockFeed } from '../watch/block-feed.js';

export interface OpenNode extends ChainNode {
  /** The state of each node. */
  readonly nodes: () => readonly NodeReport[];
  /** The index of a node in `nodes`, by its target. */
  readonly indexOf: (target: string) => number | undefined;
  /** The newest block of all of them. */
  readonly blocks: BlockFeed;
}

export interface OpenNodeParts {
  readonly replyBytes?: ByteAllowance;
  readonly calls: FairSemaphore<'address'>;
}

/** The configured chain nodes as one, with metrics. Nodes may be unreachable at start. */
export function openNode(config: Config['nodes'], metrics: Metrics, logger: Logger, parts: OpenNodeParts): OpenNode {
  const { replyBytes, calls } = parts;
  const blocks = new BlockFeed();
  const channel = createChannel({
    targets: nodesOf(config),
    connectTimeoutMs: config.GRPC_CONNECT_TIMEOUT_MS,
    maxReceiveBytes: config.GRPC_MAX_RECEIVE_BYTES,
    replyBytes,
    open: OPEN_CHANNEL[config.GRPC_CHANNEL],
    probe: blockProbe((node, state) => {
      // An archive does not have the latest blocks.
      if (covers(node.range, undefined)) blocks.report(node, state);
    }),
    positions: blockHeights(config.GRPC_MAX_LAG_BLOCKS),
    onOutage: (target, outage) => {
      if (outage === undefined) logger.info({ target }, 'chain node is ready again');
      else logger.warn({ target, reason: describeOutage(outage) }, 'chain node is not ready');
    },
    onRemoved: (node) => blocks.forget(node),
    onRetry: () => gauges.retries.inc(),
  });
  const gauges = nodeMetrics(metrics, channel.nodes, () => calls.taken);
  return {
    ...limitCalls(nodeOverChannel(channel), calls, gauges),
    nodes: channel.nodes,
    indexOf(target) {
      const index = channel.nodes().findIndex((node) => node.target === target);
      return index < 0 ? undefined : index;
    },
    blocks,
  };
}

function nodeMetrics(metrics: Metrics, nodes: () => readonly NodeReport[], callsRunning: () => number) {
  metrics.gauge({
    name: 'proto_gateway_node_calls_running',
    help: 'Running calls to chain nodes.',
    // It changes twice for each call and is read rarely.
    collect() {
      this.set(callsRunning());
    },
  });
  const ofEachNode = (name: string, help: string, read: (report: NodeReport) => number | undefined): void => {
    metrics.gauge({
      name,
      help,
      labelNames: ['node'],
      collect() {
        // The addresses of a name change.
        this.reset();
        for (const report of nodes()) {
          const value = read(report);
          if (value !== undefined) this.set({ node: report.target }, value);
        }
      },
    });
  };
  ofEachNode('proto_gateway_node_away', '1 while a chain node is unreachable, else 0.', ({ state }) =>
    state === 'away' ? 1 : 0,
  );
  ofEachNode('proto_gateway_node_failing', '1 while a chain node gets no calls after failures, else 0.', ({ state }) =>
    state === 'failing' ? 1 : 0,
  );
  ofEachNode(
    'proto_gateway_node_latency_seconds',
    'Latency of a chain node, weighted to recent slow replies.',
    ({ latencyMs }) => latencyMs / 1000,
  );
  ofEachNode('proto_gateway_node_height', 'Newest known block of a chain node.', ({ position }) => position);
  const took = metrics.histogram({
    name: 'proto_gateway_node_call_seconds',
    help: 'Duration of calls to chain nodes, with retries, without streams.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return {
    retries: metrics.counter({
      name: 'proto_gateway_node_retries_total',
      help: 'Calls retried at another node because the first one was unavailable.',
    }),
    onDuration: (seconds: number): void => took.observe(seconds),
  };
}

/** The channels to a node: our own over HTTP/2, and that of grpc-js. Both pass the same contract; ours costs a third of the CPU. */

export const OPEN_CHANNEL: Readonly<Record<ChannelKind, (options: NodeOptions) => Channel>> = {
  http2: http2Channel,
  'grpc-js': grpcJsChannel(grpc),
};

/** The settings to check first, by problem. */
const SETTINGS: Partial<Record<ConnectProblem, string>> = {
  'certificate-name': 'GRPC_TARGETS',
  'certificate-untrusted': 'GRPC_CA_FILE',
  'certificate-wanted': 'GRPC_CERT_FILE, GRPC_KEY_FILE',
  'closed-early': 'GRPC_TLS, GRPC_CERT_FILE',
  'no-tls': 'GRPC_TLS',
  tls: 'GRPC_TLS',
  http1: 'GRPC_TARGETS',
  refused: 'GRPC_TARGETS',
  'name-unknown': 'GRPC_TARGETS',
};

/** Why a node is not ready, in words for operators, with the settings that decide it. */
export function describeOutage({ problem, reason }: Outage): string {
  const settings = SETTINGS[problem];
  return settings === undefined ? reason : `${reason} (${settings})`;
}
