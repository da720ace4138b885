import { performance } from 'node:perf_hooks';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from './config.js';
import { nodeTls } from './config-tls.js';
import { boundedCalls } from './upstream/bounded-calls.js';
import type { ByteBudget } from './upstream/byte-budget.js';
import type { ChainNode } from './upstream/chain-node.js';
import { covers, parseNodeTarget } from './upstream/node-target.js';
import { openChainNode } from './upstream/open-chain-node.js';
import { KnownNode } from './upstream/pool/known-node.js';
import { nodePool } from './upstream/pool/node-pool.js';
import { watchNodes } from './upstream/pool/watch-nodes.js';
import { BlockFeed } from './watch/block-feed.js';

const WATCH = { everyMs: 1000, timeoutMs: 900 };

export interface OpenNode extends ChainNode {
  /** What the pool knows of each, by `host:port`. */
  readonly nodes: ReadonlyMap<string, KnownNode>;
  /** The newest block of all of them. */
  readonly blocks: BlockFeed;
}

/** The chain nodes of the configuration as one, with what happens to them in the metrics. They may be away. */
export function openNode(config: Config, metrics: Metrics, logger: Logger, replyBytes?: ByteBudget): OpenNode {
  const now = (): number => performance.now();
  const gauges = nodeMetrics(metrics);
  const tls = nodeTls(config);
  const nodes = config.GRPC_TARGETS.flatMap((text): KnownNode[] => {
    const parsed = parseNodeTarget(text);
    if (parsed === undefined) return [];
    const { address: target, heights } = parsed;
    gauges.away.set({ node: target }, 0);
    const node = openChainNode(config.GRPC_CHANNEL, {
      target,
      tls,
      maxReceiveBytes: config.GRPC_MAX_RECEIVE_BYTES,
      replyBytes,
      onAway: (isAway, reason) => {
        known.isAway = isAway;
        gauges.away.set({ node: target }, isAway ? 1 : 0);
        if (isAway) logger.warn({ target, reason }, 'the chain node is away');
        else logger.info({ target }, 'the chain node is back');
      },
    });
    const known = new KnownNode(node, heights, now);
    gauges.watched.set(target, known);
    return [known];
  });
  const [first, ...more] = nodes;
  if (first === undefined) throw new Error('GRPC_TARGETS names no node');
  const pool = nodePool([first, ...more], {
    maxLagBlocks: config.GRPC_MAX_LAG_BLOCKS,
    random: Math.random,
    now,
    onRetry: () => gauges.retries.inc(),
  });
  const blocks = new BlockFeed();
  const stop = watchNodes(nodes, {
    ...WATCH,
    now,
    onLook: (known, state) => {
      // Of what is new an archive knows nothing.
      if (covers(known.heights, undefined)) blocks.looked(known, state);
    },
  });
  const bounded = boundedCalls(pool, config.GRPC_MAX_CALLS, gauges.setRunning);
  return {
    ...bounded,
    nodes: gauges.watched,
    blocks,
    close() {
      stop();
      bounded.close();
    },
  };
}

function nodeMetrics(metrics: Metrics) {
  let callsRunning = 0;
  metrics.gauge({
    name: 'proto_gateway_node_calls_running',
    help: 'Calls to chain nodes under way.',
    // It changes twice for each call, and is read now and then.
    collect() {
      this.set(callsRunning);
    },
  });
  const watched = new Map<string, KnownNode>();
  metrics.gauge({
    name: 'proto_gateway_node_failing',
    help: '1 while a chain node is not asked because it failed, else 0.',
    labelNames: ['node'],
    collect() {
      for (const [node, known] of watched) this.set({ node }, known.isFailing ? 1 : 0);
    },
  });
  metrics.gauge({
    name: 'proto_gateway_node_height',
    help: 'The newest block a chain node is known to have.',
    labelNames: ['node'],
    collect() {
      for (const [node, { height }] of watched) if (height !== undefined) this.set({ node }, height);
    },
  });
  return {
    watched,
    away: metrics.gauge({
      name: 'proto_gateway_node_away',
      help: '1 while a chain node is known to be away, else 0.',
      labelNames: ['node'],
    }),
    retries: metrics.counter({
      name: 'proto_gateway_node_retries_total',
      help: 'Calls made once more, to another node, because the first one was not there.',
    }),
    setRunning: (running: number): void => {
      callsRunning = running;
    },
  };
}
