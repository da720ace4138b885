import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from '@mlango/test-services/fault-proxy';
import type { Channel } from '../../src/channel.js';
import { createChannel } from '../../src/create-channel.js';
import type { NodeOptions } from '../../src/node-options.js';
import type { ChaosNode, NodeKind } from './nodes.js';
import type { SystemNames } from './system-names.js';

type Open = (options: NodeOptions) => Channel;

/** The parts of one fault, in front of one node. Each channel is opened several times, once for each pattern of calls. */
export interface Stage {
  open(open: Open): { readonly channel: Channel; readonly isWhole?: () => boolean };
  begin(): void;
  end(): void;
  /** Counts the effects of the fault while calls may succeed: connections, late bytes, or messages of a slow reader. */
  effects(): number;
  close(): Promise<void>;
}

export interface Fault {
  readonly name: string;
  readonly nodes: readonly NodeKind[];
  /** Its duration, or the observation time before recoveries; 0 for an instant fault. */
  readonly lastsMs: number;
  readonly stage: (node: ChaosNode, names: SystemNames) => Promise<Stage>;
  /** The node is used for this fault alone, with these options. */
  readonly ownNode?: { readonly endsConnections: boolean };
  readonly requestBytes?: number;
  /** Calls are to fail no more often than over grpc-js. */
  readonly comparesLosses?: boolean;
}

/** Shorter than in service, on both channels alike. */
export const KEEPALIVE = { afterMs: 2000, timeoutMs: 2000 };
const OPTIONS = { maxReceiveBytes: 1_000_000, keepalive: KEEPALIVE };
const ALL: readonly NodeKind[] = ['grpc-js', 'node:http2', 'nginx', 'frames'];

type Scene = { readonly proxy: FaultProxy; readonly node: ChaosNode };

/** One node behind one proxy. */
function oneNode(begin: (scene: Scene) => void, end: (scene: Scene) => void = () => {}): Fault['stage'] {
  return async (node) => {
    const proxy = await startFaultProxy(node.port);
    const scene = { proxy, node };
    return {
      open: (open) => ({ channel: open({ ...OPTIONS, target: `127.0.0.1:${proxy.port}` }) }),
      begin: () => begin(scene),
      end: () => end(scene),
      effects: () => proxy.accepted() + proxy.delayed(),
      close: proxy.close,
    };
  };
}

/** Two nodes, the first of which becomes silent. The channel has recovered when it uses both again. */
const oneOfTwo: Fault['stage'] = async (node) => {
  const [first, second] = [await startFaultProxy(node.port), await startFaultProxy(node.port)];
  return {
    open(open) {
      const targets = [first, second].map(({ port }) => `127.0.0.1:${port}`);
      const channel = createChannel({ ...OPTIONS, open, targets });
      return { channel, isWhole: () => channel.nodes().every(({ state }) => state === 'live') };
    },
    begin: () => first.silence('all'),
    end: () => first.heal(),
    effects: first.accepted,
    close: async () => void (await Promise.all([first.close(), second.close()])),
  };
};

/** A name that resolves to other addresses, while the old ones become silent. */
function dnsChange(name: string, before: readonly string[], after: readonly string[]): Fault['stage'] {
  return async (node, { addresses }) => {
    const proxies: FaultProxy[] = [];
    for (const host of [...before, ...after]) {
      proxies.push(
        await startFaultProxy(node.port, { host, ...(proxies[0] === undefined ? {} : { port: proxies[0].port }) }),
      );
    }
    addresses.set(name, before);
    return {
      open: (open) => ({
        channel: createChannel({ ...OPTIONS, open, targets: [`${name}:${proxies[0]?.port}`], dnsIntervalMs: 1000 }),
      }),
      begin() {
        addresses.set(name, after);
        for (const proxy of proxies.slice(0, before.length)) proxy.silence('all');
      },
      end: () => {},
      effects: () => proxies.slice(before.length).reduce((sum, proxy) => sum + proxy.accepted(), 0),
      close: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
    };
  };
}

/** Each channel has a stream of large messages with a reader that takes one message in 250 ms. */
const slowReader: Fault['stage'] = async (node) => {
  const stage = await oneNode(() => {})(node, { addresses: new Map(), restore: () => {} });
  const channels: Channel[] = [];
  let read = 0;
  const onRead = (): void => {
    read += 1;
  };
  return {
    ...stage,
    effects: () => read,
    open(open) {
      const opened = stage.open(open);
      channels.push(opened.channel);
      return opened;
    },
    begin() {
      for (const channel of channels) void readSlowly(channel, onRead).catch(() => {});
    },
  };
};

async function readSlowly(channel: Channel, onRead: () => void): Promise<void> {
  const { messages } = channel.stream('/test.Chaos/Flood', Uint8Array.of(1), { timeoutMs: 60_000 });
  for await (const _ of messages) {
    onRead();
    await sleep(250);
  }
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'open connections go silent',
    nodes: ALL,
    lastsMs: 0,
    stage: oneNode(({ proxy }) => proxy.silence('open')),
  },
  {
    name: 'all connections are silent for 6 s',
    nodes: ALL,
    lastsMs: 6000,
    stage: oneNode(
      ({ proxy }) => proxy.silence('all'),
      ({ proxy }) => proxy.heal(),
    ),
  },
  {
    name: 'the network loses packets for 8 s',
    nodes: ALL,
    lastsMs: 8000,
    stage: oneNode(
      ({ proxy }) => proxy.lose(),
      ({ proxy }) => proxy.heal(),
    ),
  },
  { name: 'connections are reset', nodes: ALL, lastsMs: 0, stage: oneNode(({ proxy }) => proxy.reset()) },
  {
    name: 'connections are reset and refused for 4 s',
    nodes: ALL,
    lastsMs: 4000,
    stage: oneNode(
      ({ proxy }) => proxy.refuse(),
      ({ proxy }) => proxy.heal(),
    ),
  },
  { name: 'connections are half-closed', nodes: ALL, lastsMs: 0, stage: oneNode(({ proxy }) => proxy.halfClose()) },
  {
    name: 'the node is frozen for 6 s',
    nodes: ['grpc-js', 'node:http2', 'nginx'],
    lastsMs: 6000,
    ownNode: { endsConnections: false },
    stage: oneNode(
      ({ node }) => node.freeze(),
      ({ node }) => node.thaw(),
    ),
  },
  {
    name: 'a storm of GOAWAY for 5 s',
    nodes: ['node:http2', 'frames'],
    lastsMs: 5000,
    ownNode: { endsConnections: false },
    stage: oneNode(
      ({ node }) => node.storm(true),
      ({ node }) => node.storm(false),
    ),
  },
  {
    name: 'GOAWAY again and again',
    nodes: ['grpc-js', 'nginx'],
    lastsMs: 8000,
    ownNode: { endsConnections: true },
    comparesLosses: true,
    stage: oneNode(() => {}),
  },
  {
    name: 'the node reads nothing for 6 s, with large requests',
    nodes: ['grpc-js', 'node:http2'],
    lastsMs: 6000,
    requestBytes: 100_000,
    stage: oneNode(
      ({ proxy }) => proxy.stopReading(),
      ({ proxy }) => proxy.heal(),
    ),
  },
  {
    name: 'a slow reader of a stream',
    nodes: ['grpc-js', 'nginx'],
    lastsMs: 8000,
    comparesLosses: true,
    stage: slowReader,
  },
  {
    name: 'one of two nodes is silent for 6 s',
    nodes: ['grpc-js'],
    lastsMs: 6000,
    comparesLosses: true,
    stage: oneOfTwo,
  },
  {
    name: 'a name moves to another address',
    nodes: ['grpc-js'],
    lastsMs: 0,
    stage: dnsChange('one.chaos.test', ['127.0.0.11'], ['127.0.0.12']),
  },
  {
    name: 'a name moves to other addresses',
    nodes: ['grpc-js'],
    lastsMs: 0,
    stage: dnsChange('two.chaos.test', ['127.0.0.13', '127.0.0.14'], ['127.0.0.15', '127.0.0.16']),
  },
];
