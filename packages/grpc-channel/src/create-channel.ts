import { isIP } from 'node:net';
import { type LookUp, systemLookUp } from './calls/dns-change.js';
import { http2Channel } from './calls/http2-channel.js';
import { splitTarget } from './calls/open-connection.js';
import type { Channel } from './channel.js';
import type { Outage } from './connect-problem.js';
import { DNS_INTERVAL_MS, KEEPALIVE, type NodeOptions } from './node-options.js';
import { KnownNode } from './pool/known-node.js';
import { followName } from './pool/name-addresses.js';
import { nodePool } from './pool/node-pool.js';
import type { NodeReport } from './pool/node-report.js';
import type { PositionRange, Positions } from './pool/positions.js';
import { healthProbe, type Probe } from './pool/probe.js';
import { NodeOutage, type WatchRules, watchNode } from './pool/watch-node.js';

/** A node of a channel: `host:port`, its range if it lacks part of the history, and its own options. */
export interface Target extends Pick<NodeOptions, 'tls' | 'serverName' | 'metadata'> {
  readonly target: string;
  readonly range?: PositionRange;
}

export interface ChannelOptions extends Partial<Omit<NodeOptions, 'target' | 'onOutage'>> {
  /** One at least. */
  readonly targets: readonly (string | Target)[];
  /** Opens the channel to a node. Default: `http2Channel`. */
  readonly open?: (options: NodeOptions) => Channel;
  /** Checks a node, once a second. Default: grpc.health.v1. */
  readonly probe?: Probe;
  readonly watch?: Omit<WatchRules, 'silentMs'>;
  /** For nodes that hold a history which grows. */
  readonly positions?: Positions;
  /** Called with the cause when a node becomes unready or the cause changes, and with `undefined` when it is ready again. */
  readonly onOutage?: (target: string, outage: Outage | undefined) => void;
  /** Called with a node that is removed, since its name no longer resolves to its address. */
  readonly onRemoved?: (node: NodeReport) => void;
  /** Resolves names, and sets the interval. Default: the system's resolver every 30 s. */
  readonly lookUp?: LookUp;
  readonly dnsIntervalMs?: number;
  /** Called for each call that is retried at another node. */
  readonly onRetry?: () => void;
}

/** A channel over one node or several. */
export interface NodesChannel extends Channel {
  /** The state of each node, in the order of the targets; a name with several addresses is several nodes. */
  readonly nodes: () => readonly NodeReport[];
}

const MAX_RECEIVE_BYTES = 16 * 1024 * 1024;
const WATCH = { everyMs: 1000, timeoutMs: 900 };
/** Time for running calls to end at a node that the name no longer resolves to. */
const LEAVE_MS = 60_000;

/**
 * Opens a channel. Nodes may be unreachable at start: connections are retried. A name with several addresses is that many nodes, and is
 * resolved periodically.
 *
 * @throws {RangeError} without a target
 */
export function createChannel(options: ChannelOptions): NodesChannel {
  const { positions, onRetry, lookUp = systemLookUp, dnsIntervalMs = DNS_INTERVAL_MS } = options;
  if (options.targets.length === 0) throw new RangeError('a channel needs a target');
  const targets = options.targets.map((each): Target => (typeof each === 'string' ? { target: each } : each));
  const now = (): number => performance.now();
  const open = nodeOpener(options, now);
  const groups = targets.map((target) => new Map([[target.target, open(target)]]));
  /** The nodes of all groups, in the order of the targets. The pool sees each change. */
  const nodes: KnownNode[] = [];
  const leaving = new Map<OpenNode, NodeJS.Timeout>();
  const collect = (): void => {
    nodes.splice(0, nodes.length, ...groups.flatMap((group) => [...group.values()].map(({ known }) => known)));
  };
  const leave = (node: OpenNode): void => {
    node.stop();
    options.onRemoved?.(node.known);
    const close = (): void => {
      leaving.delete(node);
      node.known.channel.close();
    };
    leaving.set(node, setTimeout(close, LEAVE_MS).unref());
  };
  collect();
  const unfollow = targets.map((target, index) => {
    const { host, port } = splitTarget(target.target);
    if (isIP(host) !== 0) return () => {};
    return followName(host, { lookUp, everyMs: dnsIntervalMs }, (addresses) => {
      const group = groups[index] ?? new Map<string, OpenNode>();
      const wanted =
        addresses.length < 2 ? [target] : addresses.map((address) => atAddress(target, host, address, port));
      const names = new Set(wanted.map((node) => node.target));
      const removed = [...group].filter(([name]) => !names.has(name));
      for (const node of wanted) if (!group.has(node.target)) group.set(node.target, open(node));
      for (const [name] of removed) group.delete(name);
      collect();
      for (const [, node] of removed) leave(node);
    });
  });
  const pool = nodePool(nodes, { positions, random: Math.random, now, onRetry });
  return {
    ...pool,
    nodes: () => nodes,
    close() {
      for (const stop of unfollow) stop();
      for (const group of groups) for (const { stop } of group.values()) stop();
      for (const [{ known }, timer] of leaving) {
        clearTimeout(timer);
        known.channel.close();
      }
      pool.close();
    },
  };
}

/** One address of a name, with the name for its certificate and for proxies. */
function atAddress(target: Target, host: string, address: string, port: number): Target {
  const serverName = target.serverName ?? host;
  return { ...target, target: isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`, serverName };
}

interface OpenNode {
  readonly known: KnownNode;
  /** Ends its checks. */
  readonly stop: () => void;
}

/** Opens nodes with the options of a channel. */
function nodeOpener(options: ChannelOptions, now: () => number): (target: Target) => OpenNode {
  const { targets: _, open = http2Channel, probe = healthProbe, watch = WATCH, positions, onOutage, ...rest } = options;
  const { afterMs, timeoutMs } = options.keepalive ?? KEEPALIVE;
  const rules = { ...watch, silentMs: afterMs + timeoutMs };
  return ({ target, range, ...own }) => {
    const trouble = new NodeOutage((outage) => onOutage?.(target, outage));
    const channel = open({
      maxReceiveBytes: MAX_RECEIVE_BYTES,
      ...rest,
      ...own,
      target,
      onOutage: (outage) => {
        known.isUnavailable = outage !== undefined;
        trouble.setConnectionOutage(outage);
      },
    });
    const known = new KnownNode(channel, { target, range, positions, now });
    const stop = watchNode(known, rules, { probe, now, onProbe: (outage) => trouble.setProbeOutage(outage) });
    return { known, stop };
  };
}
