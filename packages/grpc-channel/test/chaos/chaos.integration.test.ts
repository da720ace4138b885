import { setTimeout as sleep } from 'node:timers/promises';
import { endPrograms } from '@mlango/test-services/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOTH_CHANNELS } from '../both-channels.js';
import { FAULTS, type Fault, KEEPALIVE } from './faults.js';
import { type ChaosNode, type NodeKind, nginxProgram, startNode } from './nodes.js';
import { connectFirst, type MachineNoise, measureNoise, observe, PATTERNS, type Recovery } from './recovery.js';
import { takeOverNames } from './system-names.js';

const PATH = '/test.Chaos/Echo';
/** A share of calls, by which losses of two channels differ by chance. */
const LOSS_MARGIN = 0.1;
/** Between two pings of both channels, which count from their connections. */
const TO_FAULT_MS = 700;
/**
 * Recoveries of two channels differ by chance: by the time between two pings, and by the latency on a busy machine, which is
 * measured during the faults.
 */
const MARGIN_MS = KEEPALIVE.afterMs;

interface Observed {
  readonly http2: readonly Recovery[];
  readonly grpcJs: readonly Recovery[];
  readonly effects: number;
}

const scenarios = FAULTS.flatMap((fault) =>
  fault.nodes
    .filter((kind) => kind !== 'nginx' || nginxProgram !== undefined)
    .map((kind) => ({ title: `${fault.name} (${kind})`, fault, kind })),
);
const names = takeOverNames();
const nodes: Promise<ChaosNode>[] = [];
const shared = new Map<NodeKind, Promise<ChaosNode>>();
const running = new Map<string, Promise<Observed>>();

function nodeFor(kind: NodeKind, { ownNode }: Fault): Promise<ChaosNode> {
  const started = ownNode === undefined ? shared.get(kind) : undefined;
  if (started !== undefined) return started;
  const node = startNode(kind, ownNode);
  nodes.push(node);
  if (ownNode === undefined) shared.set(kind, node);
  return node;
}

/** Opens both channels for each pattern of calls, applies the fault to all of them at once, and finds when each recovers. */
async function run(fault: Fault, node: ChaosNode): Promise<Observed> {
  const stage = await fault.stage(node, names);
  const callers = BOTH_CHANNELS.map(([, open]) =>
    PATTERNS.map((pattern) => ({ pattern, isWhole: () => true, ...stage.open(open) })),
  );
  await Promise.all(callers.flat().map(({ channel }) => connectFirst(channel, PATH)));
  const faultAt = performance.now() + TO_FAULT_MS;
  const request = new Uint8Array(fault.requestBytes ?? 3).fill(7);
  const observing = callers.map((list) =>
    Promise.all(
      list.map(({ channel, pattern, isWhole }) =>
        observe(channel, { pattern, path: PATH, request, faultAt, lastsMs: fault.lastsMs, isWhole }),
      ),
    ),
  );
  await sleep(faultAt - performance.now());
  const before = stage.effects();
  stage.begin();
  await sleep(fault.lastsMs);
  stage.end();
  const [http2 = [], grpcJs = []] = await Promise.all(observing);
  const effects = stage.effects() - before;
  for (const { channel } of callers.flat()) channel.close();
  await stage.close();
  return { http2, grpcJs, effects };
}

let noise: readonly MachineNoise[] = [];

/** All scenarios run at once, since they wait and do not compute. */
beforeAll(async () => {
  const quiet = await startNode('grpc-js');
  nodes.push(Promise.resolve(quiet));
  // Starting them takes all of the machine.
  const started = await Promise.all(
    scenarios.map(async ({ title, fault, kind }) => ({ title, fault, node: await nodeFor(kind, fault) })),
  );
  for (const { title, fault, node } of started) running.set(title, run(fault, node));
  let isOver = false;
  const measured = BOTH_CHANNELS.map(async ([, open]) => {
    const channel = open({ target: `127.0.0.1:${quiet.port}`, maxReceiveBytes: 1000 });
    const found = await measureNoise(channel, PATH, () => isOver);
    channel.close();
    return found;
  });
  await Promise.allSettled(running.values());
  isOver = true;
  noise = await Promise.all(measured);
}, 180_000);

afterAll(async () => {
  names.restore();
  const outcomes = await Promise.allSettled(running.values());
  process.stdout.write(
    tableOf(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : undefined))).join('\n'),
  );
  for (const node of nodes) await (await node).stop();
  await endPrograms();
});

function tableOf(outcomes: readonly (Observed | undefined)[]): string[] {
  const cell = (recovery: Recovery | undefined): string => {
    if (recovery === undefined) return '';
    const seconds = Number.isFinite(recovery.latestMs) ? (recovery.latestMs / 1000).toFixed(1) : 'never';
    return `${seconds} (${recovery.failed}/${recovery.made})`;
  };
  const row = (cells: readonly string[]): string =>
    cells.map((text, index) => text.padEnd(index === 0 ? 62 : 16)).join('');
  const patterns = PATTERNS.flatMap((pattern) => [pattern, '']);
  return [
    '\nSeconds from the end of a fault to the first answered call (failed calls / calls), channels http2 and grpc-js:',
    row(['', ...patterns]),
    row(['', ...PATTERNS.flatMap(() => ['http2', 'grpc-js'])]),
    ...scenarios.map(({ title }, index) => {
      const outcome = outcomes[index];
      return row([title, ...PATTERNS.flatMap((_, at) => [cell(outcome?.http2[at]), cell(outcome?.grpcJs[at])])]);
    }),
    '\n',
  ];
}

const missing = (list: readonly Recovery[]): number =>
  list.reduce((sum, { failed }) => sum + failed, 0) / list.reduce((sum, { made }) => sum + made, 0);

describe.each(scenarios)('$title', ({ title, fault: { comparesLosses } }) => {
  it('ends for the channel http2 no later than for grpc-js', async () => {
    const { http2 = [], grpcJs = [] } = (await running.get(title)) ?? {};
    expect(http2).toHaveLength(PATTERNS.length);
    const latestMs = MARGIN_MS + Math.max(...noise.map(({ longestMs }) => longestMs));
    for (const [index, other] of grpcJs.entries()) {
      const { earliestMs, pattern } = http2[index] ?? other;
      expect.soft(earliestMs, pattern).toBeLessThan(Number.POSITIVE_INFINITY);
      expect.soft(earliestMs, pattern).toBeLessThanOrEqual(other.latestMs + latestMs);
    }
  });

  it('has an effect', async () => {
    const { http2 = [], grpcJs = [], effects = 0 } = (await running.get(title)) ?? {};
    expect(effects + [...http2, ...grpcJs].reduce((sum, { failed }) => sum + failed, 0)).toBeGreaterThan(0);
  });

  it.skipIf(comparesLosses !== true)('costs the channel http2 no more calls than grpc-js', async () => {
    const { http2 = [], grpcJs = [] } = (await running.get(title)) ?? {};
    const byChance = LOSS_MARGIN + 2 * Math.max(...noise.map(({ lateShare }) => lateShare));
    expect(missing(http2)).toBeLessThanOrEqual(missing(grpcJs) + byChance);
  });
});
