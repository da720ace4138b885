import { leanChannel } from './calls/lean-channel.js';
import type { Channel } from './channel.js';
import type { Away } from './connect-problem.js';
import { KEEPALIVE, type NodeOptions } from './node-options.js';
import { KnownNode } from './pool/known-node.js';
import { nodePool } from './pool/node-pool.js';
import type { NodeReport } from './pool/node-report.js';
import { NodeTrouble } from './pool/node-trouble.js';
import type { PositionRange, Positions } from './pool/positions.js';
import { type WatchRules, watchNodes } from './pool/watch-nodes.js';
import { healthProbe, type Probe } from './probe.js';

/** A node of a channel: `host:port`, what it holds where it has not all of a history, and what is its own of the options. */
export interface Target extends Pick<NodeOptions, 'tls' | 'serverName' | 'metadata'> {
  readonly target: string;
  readonly holds?: PositionRange;
}

export interface ChannelOptions extends Partial<Omit<NodeOptions, 'target' | 'onAway'>> {
  /** One at least. */
  readonly targets: readonly (string | Target)[];
  /** How each node is spoken to; `leanChannel` unless given. */
  readonly open?: (options: NodeOptions) => Channel;
  /** How nodes are looked at, once a second; by grpc.health.v1 unless given. */
  readonly probe?: Probe;
  readonly watch?: Omit<WatchRules, 'silentMs'>;
  /** For nodes that hold a history which grows. */
  readonly positions?: Positions;
  /** Told what is wrong when a node turns out not to be ready, again when that changes, and with `undefined` when it is back. */
  readonly onAway?: (target: string, away: Away | undefined) => void;
  /** Told of each call that is made once more, at another node. */
  readonly onRetry?: () => void;
}

/** A channel over one node or several. */
export interface NodesChannel extends Channel {
  /** What is known of each node, in the order of the targets. */
  readonly nodes: () => readonly NodeReport[];
}

const MAX_RECEIVE_BYTES = 16 * 1024 * 1024;
const WATCH = { everyMs: 1000, timeoutMs: 900 };

/**
 * Opens a channel. Nodes may be away: they are connected to when they are there.
 *
 * @throws {RangeError} without a target
 */
export function createChannel(options: ChannelOptions): NodesChannel {
  const {
    targets,
    open = leanChannel,
    probe = healthProbe,
    watch = WATCH,
    positions,
    onAway,
    onRetry,
    ...node
  } = options;
  if (targets.length === 0) throw new RangeError('a channel needs a target');
  const now = (): number => performance.now();
  const troubles = new Map<KnownNode, NodeTrouble>();
  const nodes = targets.map((each) => {
    const { target, holds, ...own }: Target = typeof each === 'string' ? { target: each } : each;
    const report = new NodeTrouble((away) => onAway?.(target, away));
    const channel = open({
      maxReceiveBytes: MAX_RECEIVE_BYTES,
      ...node,
      ...own,
      target,
      onAway: (away) => {
        known.isAway = away !== undefined;
        report.connection(away);
      },
    });
    const known = new KnownNode(channel, { target, holds, positions, now });
    troubles.set(known, report);
    return known;
  });
  const pool = nodePool(nodes, { positions, random: Math.random, now, onRetry });
  const { afterMs, timeoutMs } = options.keepalive ?? KEEPALIVE;
  const rules = { ...watch, silentMs: afterMs + timeoutMs };
  const stop = watchNodes(nodes, rules, { probe, now, onLook: (seen, away) => troubles.get(seen)?.answers(away) });
  return {
    ...pool,
    nodes: () => nodes,
    close() {
      stop();
      pool.close();
    },
  };
}
