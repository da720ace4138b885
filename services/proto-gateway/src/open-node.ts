import { type ByteAllowance, covers, createChannel, type NodeReport } from '@mlango/grpc-channel';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { type Config, nodesOf } from './config.js';
import { blockHeights, blockProbe } from './nodes/block-heights.js';
import { boundedCalls } from './nodes/bounded-calls.js';
import type { ChainNode } from './nodes/chain-node.js';
import { chainNodeOver } from './nodes/chain-node-over.js';
import { describeAway } from './nodes/describe-away.js';
import { OPEN_CHANNEL } from './open-channel.js';
import type { SharedPools } from './shared-pools.js';
import { BlockFeed } from './watch/block-feed.js';

export interface OpenNode extends ChainNode {
  /** What is known of each. */
  readonly nodes: () => readonly NodeReport[];
  /** The newest block of all of them. */
  readonly blocks: BlockFeed;
}

export interface OpenNodeParts {
  readonly replyBytes?: ByteAllowance;
  readonly calls: SharedPools['nodeCalls'];
}

/** The chain nodes of the configuration as one, with what happens to them in the metrics. They may be away. */
export function openNode(config: Config, metrics: Metrics, logger: Logger, parts: OpenNodeParts): OpenNode {
  const { replyBytes, calls } = parts;
  const blocks = new BlockFeed();
  const channel = createChannel({
    targets: nodesOf(config),
    connectTimeoutMs: config.GRPC_CONNECT_TIMEOUT_MS,
    maxReceiveBytes: config.GRPC_MAX_RECEIVE_BYTES,
    replyBytes,
    open: OPEN_CHANNEL[config.GRPC_CHANNEL],
    probe: blockProbe((node, state) => {
      // Of what is new an archive knows nothing.
      if (covers(node.holds, undefined)) blocks.looked(node, state);
    }),
    positions: blockHeights(config.GRPC_MAX_LAG_BLOCKS),
    onAway: (target, away) => {
      if (away === undefined) logger.info({ target }, 'chain node is ready again');
      else logger.warn({ target, reason: describeAway(away) }, 'chain node is not ready');
    },
    onRemoved: (node) => blocks.forget(node),
    onRetry: () => gauges.retries.inc(),
  });
  const gauges = nodeMetrics(metrics, channel.nodes, () => calls.taken);
  return {
    ...boundedCalls(chainNodeOver(channel), calls, gauges),
    nodes: channel.nodes,
    blocks,
  };
}

function nodeMetrics(metrics: Metrics, nodes: () => readonly NodeReport[], callsRunning: () => number) {
  metrics.gauge({
    name: 'proto_gateway_node_calls_running',
    help: 'Calls to chain nodes under way.',
    // It changes twice for each call, and is read now and then.
    collect() {
      this.set(callsRunning());
    },
  });
  metrics.gauge({
    name: 'proto_gateway_node_away',
    help: '1 while a chain node is known to be away, else 0.',
    labelNames: ['node'],
    collect() {
      // Addresses of names come and go.
      this.reset();
      for (const { target: node, state } of nodes()) this.set({ node }, state === 'away' ? 1 : 0);
    },
  });
  metrics.gauge({
    name: 'proto_gateway_node_failing',
    help: '1 while a chain node is not asked because it failed, else 0.',
    labelNames: ['node'],
    collect() {
      this.reset();
      for (const { target: node, state } of nodes()) this.set({ node }, state === 'failing' ? 1 : 0);
    },
  });
  metrics.gauge({
    name: 'proto_gateway_node_latency_seconds',
    help: 'What the answers of a chain node take, most of all the slow ones of the last seconds.',
    labelNames: ['node'],
    collect() {
      this.reset();
      for (const { target: node, latencyMs } of nodes()) this.set({ node }, latencyMs / 1000);
    },
  });
  metrics.gauge({
    name: 'proto_gateway_node_height',
    help: 'The newest block a chain node is known to have.',
    labelNames: ['node'],
    collect() {
      this.reset();
      for (const { target: node, position } of nodes()) if (position !== undefined) this.set({ node }, position);
    },
  });
  const took = metrics.histogram({
    name: 'proto_gateway_node_call_seconds',
    help: 'Time of calls to chain nodes, retries included and streams not.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return {
    retries: metrics.counter({
      name: 'proto_gateway_node_retries_total',
      help: 'Calls made once more, to another node, because the first one was not there.',
    }),
    onTook: (seconds: number): void => took.observe(seconds),
  };
}
