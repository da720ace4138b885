import { performance } from 'node:perf_hooks';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from './config.js';
import { nodeTls } from './config-tls.js';
import { boundedCalls } from './upstream/bounded-calls.js';
import type { ChainNode } from './upstream/chain-node.js';
import { parseNodeTarget } from './upstream/node-target.js';
import { nodesByHeight, type RangedNode } from './upstream/nodes-by-height.js';
import { openChainNode } from './upstream/open-chain-node.js';

/** The chain nodes of the configuration as one, with what happens to them in the metrics. They may be away. */
export function openNode(config: Config, metrics: Metrics, logger: Logger): ChainNode {
  const gauges = nodeMetrics(metrics);
  const tls = nodeTls(config);
  const nodes = config.GRPC_TARGETS.flatMap((text): RangedNode[] => {
    const parsed = parseNodeTarget(text);
    if (parsed === undefined) return [];
    const { address: target, heights } = parsed;
    gauges.away.set({ node: target }, 0);
    const node = openChainNode(config.GRPC_CHANNEL, {
      target,
      tls,
      maxReceiveBytes: config.GRPC_MAX_RECEIVE_BYTES,
      onAway: (isAway, reason) => {
        gauges.away.set({ node: target }, isAway ? 1 : 0);
        if (isAway) logger.warn({ target, reason }, 'the chain node is away');
        else logger.info({ target }, 'the chain node is back');
      },
    });
    return [{ node, heights }];
  });
  const [first, ...more] = nodes;
  if (first === undefined) throw new Error('GRPC_TARGETS names no node');
  const now = (): number => performance.now();
  const all = nodesByHeight([first, ...more], now, () => gauges.retries.inc());
  return boundedCalls(all, config.GRPC_MAX_CALLS, gauges.setRunning);
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
  return {
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
