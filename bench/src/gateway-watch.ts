/**
 * What watching costs the gateway's process: 10,000 watchers of 50 queries, each of whose answers changes with every block. The chain
 * node and the watchers are other processes. It ends by itself: after two minutes and the time of the blocks at the latest.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type GatewayChild, startGatewayChild } from './gateway-child.js';
import type { FromClients, ToClients } from './gateway-watch-clients.js';
import { startNode } from './goals/start-service.js';
import { printTable } from './print-table.js';

const WATCHES = Number(process.env['BENCH_WATCHES'] ?? 10_000);
const QUERIES = 50;
const BLOCKS = Number(process.env['BENCH_BLOCKS'] ?? 8);
/** Of the mock node. */
const BLOCK_MS = 6000;
const LIMIT_MS = 130_000 + BLOCKS * BLOCK_MS;
const PORT = 13_108;
const MIB = 1024 * 1024;
const MANY = String(WATCHES + 1000);

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = await startNode();
const gateway = await startGatewayChild(join(root, 'services/proto-gateway/dist/main.js'), {
  port: PORT,
  healthPath: '/health/ready',
  env: {
    GRPC_TARGETS: new URL(node.url).host,
    RATE_LIMIT_MAX: '1000000',
    SOCKETS_PER_ADDRESS: MANY,
    WATCHES_PER_CLIENT: MANY,
    WATCHES_MAX: MANY,
  },
});
const clients = fork(fileURLToPath(new URL('./gateway-watch-clients.js', import.meta.url)));
const limit = setTimeout(() => process.exit(1), LIMIT_MS);
try {
  await measure(gateway);
} finally {
  clearTimeout(limit);
  clients.kill();
  await gateway.stop();
  await node.stop();
}

async function measure(child: GatewayChild): Promise<void> {
  const before = await child.usage();
  // Their replies tell the height they are of.
  const paths = Array.from(
    { length: QUERIES },
    (_, at) => `/ibc/core/channel/v1/channels?pagination.limit=${at + 1}&watch=1`,
  );
  await tell({ port: PORT, paths, watches: WATCHES });
  await untilBlock();
  const open = await child.usage();
  await tell('count');
  const rows: string[][] = [];
  let isRight = true;
  for (let block = 1; block <= BLOCKS; block += 1) {
    const [from, callsBefore] = [await child.usage(), await calls()];
    await untilBlock();
    const [to, callsAfter, told] = [await child.usage(), await calls(), (await tell('count')) as FromClients];
    isRight &&= told.events === WATCHES && told.lost === 0 && callsAfter - callsBefore === QUERIES;
    const cpuMs = (to.cpuUs - from.cpuUs) / 1000;
    rows.push([
      `block ${block}`,
      `${callsAfter - callsBefore}`,
      `${told.events}`,
      cpuMs.toFixed(0),
      ((cpuMs * 1000) / told.events).toFixed(1),
      told.overMs.toFixed(0),
      (to.rssBytes / MIB).toFixed(0),
      (to.heapBytes / MIB).toFixed(0),
    ]);
  }
  const perWatch = (open.rssBytes - before.rssBytes) / WATCHES / 1024;
  console.log(
    `${WATCHES} watchers of ${QUERIES} queries: ${(open.rssBytes / MIB).toFixed(0)} MiB, ${perWatch.toFixed(1)} KiB each`,
  );
  printTable(['', 'calls', 'events', 'CPU ms', 'µs an event', 'first to last, ms', 'RSS MiB', 'heap MiB'], rows);
  if (!isRight) throw new Error('not one call a block and query, or not one event a watcher and block');
}

/** Waits until the answers of a block have gone out: half of the time between two blocks after it was made. */
async function untilBlock(): Promise<void> {
  const height = async () => (await fetch(`http://127.0.0.1:${PORT}/proto/blocks`)).text();
  const now = await height();
  while ((await height()) === now) await sleep(50);
  await sleep(BLOCK_MS / 2);
}

async function calls(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();
  return Number(/^proto_gateway_watch_calls_total\S* (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function tell(asked: ToClients): Promise<unknown> {
  const answered = once(clients, 'message');
  clients.send(asked);
  return (await answered)[0];
}
