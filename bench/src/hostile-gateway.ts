/**
 * What hostile callers and hostile nodes do to the query gateway, as a real process: how long its main thread works in one
 * go, what it holds before and after, and how soon it answers again.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startGatewayChild } from './gateway-child.js';
import { startNode } from './goals/start-service.js';
import type { Gauge } from './hostile-gauge.js';
import { HOSTILE_NODES, startHostileNode } from './hostile-nodes.js';
import { HOSTILE_REQUESTS, type HostileRequest } from './hostile-requests.js';
import { freePort } from './own-server.js';
import { printTable } from './print-table.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Callers at the same time, and requests of each. */
const CALLERS = 10;
const REQUESTS = 10;
/** How long a node is hostile, and a reader does not read. */
const NODE_MS = Number(process.env['BENCH_NODE_MS'] ?? 1500);
const LIMITS = { blockMs: 50, recoveryMs: 1000, growthMb: 20 };
const HONEST = '/proto/token/params';

const root = fileURLToPath(new URL('../..', import.meta.url));
const good = await startNode();
const node = await startHostileNode({ port: Number(new URL(good.url).port) });
const port = await freePort();
const gateway = await startGatewayChild(join(root, 'services/proto-gateway/dist/main.js'), {
  port,
  healthPath: '/health',
  env: { GRPC_TARGETS: `127.0.0.1:${node.port}`, RATE_LIMIT_MAX: '1000000', GRPC_DEADLINE_MS: '2000' },
  nodeOptions: ['--expose-gc'],
  reporter: new URL('./hostile-gauge.js', import.meta.url).href,
}).catch(async (error: unknown) => {
  node.stop();
  await good.stop();
  throw error;
});

/** Sends requests over one socket, each when the one before was answered. */
async function send({ bytes, neverReads }: HostileRequest, held: Socket[]): Promise<void> {
  for (let count = 0; count < REQUESTS; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    if (neverReads === true) {
      socket.pause();
      held.push(socket);
    }
    socket.write(bytes);
    if (neverReads === true) await sleep(20);
    // One that is refused may be closed before all of it is written.
    else await Promise.race([once(socket, 'data').catch(() => {}), once(socket, 'close').catch(() => {}), sleep(5000)]);
    if (neverReads !== true) socket.destroy();
  }
}

async function isAnswered(): Promise<boolean> {
  const signal = AbortSignal.timeout(1000);
  return fetch(`${gateway.url}${HONEST}`, { signal }).then(
    async (reply) => reply.ok && (await reply.text()) !== '',
    () => false,
  );
}

/** Time until honest requests are answered, in ms. */
async function recovery(): Promise<number> {
  const startedAt = performance.now();
  while (!(await isAnswered())) await sleep(5);
  return performance.now() - startedAt;
}

interface Seen extends Pick<Gauge, 'longestBlockMs' | 'longestGoMs' | 'waitedInItMs'> {
  readonly name: string;
  readonly recoveryMs: number;
}

const NOTHING_YET = { longestBlockMs: 0, longestGoMs: 0, waitedInItMs: 0, recoveryMs: 0 };
const seenBy = new Map<string, Seen>(
  [...HOSTILE_REQUESTS, ...HOSTILE_NODES].map(({ name }) => [name, { name, ...NOTHING_YET }]),
);

async function note(name: string): Promise<void> {
  const before = seenBy.get(name) ?? { name, ...NOTHING_YET };
  const recoveryMs = Math.max(before.recoveryMs, await recovery());
  const gauge = await gateway.ask<Gauge>();
  const longestBlockMs = Math.max(before.longestBlockMs, gauge.longestBlockMs);
  const { longestGoMs, waitedInItMs } = gauge.longestGoMs > before.longestGoMs ? gauge : before;
  seenBy.set(name, { name, recoveryMs, longestBlockMs, longestGoMs, waitedInItMs });
}

async function attackByCallers(request: HostileRequest): Promise<void> {
  const held: Socket[] = [];
  await Promise.all(Array.from({ length: CALLERS }, () => send(request, held)));
  if (held.length > 0) await sleep(NODE_MS);
  for (const socket of held) socket.destroy();
  await note(request.name);
}

async function attackByNode(kind: (typeof HOSTILE_NODES)[number]): Promise<void> {
  node.become(kind);
  const isOver = performance.now() + NODE_MS;
  const ask = async (): Promise<void> => {
    while (performance.now() < isOver) await isAnswered();
  };
  await Promise.all(Array.from({ length: CALLERS }, ask));
  node.become(undefined);
  await note(kind.name);
}

const memory: Gauge[] = [];
try {
  // The start is not an attack.
  await recovery();
  await gateway.ask<Gauge>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const request of HOSTILE_REQUESTS) await attackByCallers(request);
    for (const kind of HOSTILE_NODES) await attackByNode(kind);
    memory.push(await gateway.ask<Gauge>());
  }
} finally {
  await gateway.stop();
  node.stop();
  await good.stop();
}
const all = [...seenBy.values()];
printTable(
  [
    'hostile',
    'most work in one go, ms',
    'longest go by the clock, ms',
    'of it waiting for a processor',
    'answers again after, ms',
  ],
  all.map(({ name, longestBlockMs, longestGoMs, waitedInItMs, recoveryMs }) => [
    name,
    longestBlockMs.toFixed(1),
    longestGoMs.toFixed(1),
    waitedInItMs.toFixed(1),
    recoveryMs.toFixed(0),
  ]),
);
const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
const worst = {
  block: Math.max(...all.map((seen) => seen.longestBlockMs)),
  go: Math.max(...all.map((seen) => seen.longestGoMs)),
  recovery: Math.max(...all.map((seen) => seen.recoveryMs)),
};
const growthMb = ((memory.at(-1)?.heapBytes ?? 0) - (memory[0]?.heapBytes ?? 0)) / 1e6;
const verdicts = [
  {
    text: `most work in one go: ${worst.block.toFixed(1)} ms; longest go by the clock: ${worst.go.toFixed(1)} ms`,
    isGood: worst.block <= LIMITS.blockMs,
  },
  { text: `slowest recovery: ${worst.recovery.toFixed(0)} ms`, isGood: worst.recovery <= LIMITS.recoveryMs },
  {
    text: `heap after each round: ${memory.map(({ heapBytes }) => mb(heapBytes)).join(', ')} MB; resident: ${memory.map(({ rssBytes }) => mb(rssBytes)).join(', ')} MB`,
    isGood: growthMb <= LIMITS.growthMb,
  },
];
for (const { text, isGood } of verdicts) console.log(`${isGood ? 'good' : 'BAD '} ${text}`);
if (!verdicts.every(({ isGood }) => isGood)) process.exitCode = 1;
