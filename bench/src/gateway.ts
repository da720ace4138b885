/**
 * What a whole request costs the gateway's process, beside a bare Fastify reply and beside the same three queries written
 * the usual way, in one run and in alternating rounds. The chain node and the callers are other processes.
 *
 * `BENCH_BESIDE=<folder>`: another tree of this repository, set up, whose gateway is measured in the same run.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GatewayChild, startGatewayChild } from './gateway-child.js';
import { costOf } from './gateway-load.js';
import { QUERIES, type Query } from './gateway-queries.js';
import { startNode } from './goals/start-service.js';
import { printTable } from './print-table.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const PORTS = { gateway: 13_102, cached: 13_103, stockChannel: 13_104, stock: 13_105, before: 13_106 };

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = await startNode();
const nodeOptions = process.argv.slice(2);
const beside = process.env['BENCH_BESIDE'];
const SERVICE = 'services/proto-gateway/dist/main.js';
const children: GatewayChild[] = [];

async function start(file: string, port: number, env: Record<string, string> = {}, options: readonly string[] = []) {
  const healthPath = file.includes('gateway-stock') ? '/bare' : '/health';
  const unlimited = { GRPC_TARGETS: new URL(node.url).host, RATE_LIMIT_MAX: '1000000', ...env };
  const child = await startGatewayChild(file, { port, healthPath, env: unlimited, nodeOptions: options });
  children.push(child);
  return child;
}

/** A way to ask: of whom, in which tongue, and whether all callers ask for the same. */
interface Way {
  readonly name: string;
  readonly child: GatewayChild;
  readonly tongue?: Exclude<keyof Query, 'name' | 'amount'>;
  readonly isShared?: boolean;
}

try {
  const service = join(root, SERVICE);
  const usual = await start(fileURLToPath(new URL('./gateway-stock.js', import.meta.url)), PORTS.stock);
  const gateway = await start(service, PORTS.gateway, {}, nodeOptions);
  const cached = await start(service, PORTS.cached, { PROTO_CACHE_TTL_MS: '3600000' });
  const stockChannel = await start(service, PORTS.stockChannel, { GRPC_CHANNEL: 'stock' });
  const before = beside === undefined ? [] : [await start(join(beside, SERVICE), PORTS.before)];
  const ways: readonly Way[] = [
    { name: 'uncached', child: gateway },
    ...before.map((child) => ({ name: 'uncached, beside', child })),
    { name: 'coalesced', child: gateway, isShared: true },
    { name: 'cached', child: cached, isShared: true },
    { name: 'stock channel', child: stockChannel },
    { name: 'Connect, proto', child: gateway, tongue: 'connectProto' },
    { name: 'Connect, JSON', child: gateway, tongue: 'connectJson' },
    { name: 'gRPC-Web', child: gateway, tongue: 'grpcWeb' },
    { name: 'usual way', child: usual },
  ];
  const bare: number[] = [];
  const rows: string[][] = [];
  for (const query of QUERIES) {
    const costs = ways.map((): number[] => []);
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      bare.push(await costOf(usual, () => ({ method: 'GET', path: '/bare' }), 10_000));
      for (const [at, way] of ways.entries()) {
        const cost = await costOf(way.child, requestsOf(way, query), query.amount);
        if (round > 0) costs[at]?.push(cost);
      }
    }
    rows.push([query.name, ...costs.map((rounds) => Math.min(...rounds).toFixed(1))]);
  }
  const floor = Math.min(...bare);
  console.log(`a bare Fastify reply: ${floor.toFixed(1)} µs of CPU`);
  const head = ['µs of CPU', ...ways.map(({ name }) => name), 'uncached : bare', 'uncached : usual way'];
  printTable(
    head,
    rows.map((row) => {
      const [uncached, usualWay] = [Number(row[1]), Number(row.at(-1))];
      return [...row, (uncached / floor).toFixed(2), (uncached / usualWay).toFixed(2)];
    }),
  );
} finally {
  for (const child of children) await child.stop();
  await node.stop();
}

function requestsOf({ tongue = 'rest', isShared = false }: Way, query: Query) {
  return isShared ? () => query[tongue](0) : query[tongue];
}
