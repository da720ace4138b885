/**
 * What a whole request costs the gateway's process, beside a bare Fastify reply and beside the same three queries written
 * the usual way, in one run and in alternating rounds. The chain node and the callers are other processes.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GatewayChild, startGatewayChild } from './gateway-child.js';
import { costOf } from './gateway-load.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const PORTS = { node: 19_190, gateway: 13_102, cached: 13_103, stockChannel: 13_104, stock: 13_105 };

/** Each caller asks for something else, so that no two calls are the same. */
const QUERIES = [
  { name: 'params', path: (one: number) => `/proto/token/params?height=${one + 1}`, amount: 10_000 },
  {
    name: 'entity',
    path: (one: number) => `/proto/entity/did:ixo:entity:e${String(one + 1).padStart(4, '0')}`,
    amount: 5000,
  },
  {
    name: '100 claims',
    path: (one: number) => `/proto/claims/claims?pagination.limit=100&pagination.offset=${one}`,
    amount: 1000,
  },
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = `127.0.0.1:${PORTS.node}`;
const nodeOptions = process.argv.slice(2);
const children: GatewayChild[] = [];

async function start(file: string, port: number, env: Record<string, string> = {}, options: readonly string[] = []) {
  const healthPath = file.includes('gateway-stock') ? '/bare' : '/health';
  const unlimited = { GRPC_TARGETS: target, RATE_LIMIT_MAX: '1000000', ...env };
  const child = await startGatewayChild(file, { port, healthPath, env: unlimited, nodeOptions: options });
  children.push(child);
  return child;
}

const node = await startGatewayChild(join(root, 'deploy/mock-node/dist/main.js'), {
  port: PORTS.node,
  env: { MOCK_NODE_PORT: String(PORTS.node) },
});
try {
  const service = join(root, 'services/proto-gateway/dist/main.js');
  const usual = await start(fileURLToPath(new URL('./gateway-stock.js', import.meta.url)), PORTS.stock);
  const gateway = await start(service, PORTS.gateway, {}, nodeOptions);
  const cached = await start(service, PORTS.cached, { PROTO_CACHE_TTL_MS: '3600000' });
  const stockChannel = await start(service, PORTS.stockChannel, { GRPC_CHANNEL: 'stock' });
  const ways = [
    { name: 'uncached', child: gateway, isShared: false },
    { name: 'coalesced', child: gateway, isShared: true },
    { name: 'cached', child: cached, isShared: true },
    { name: 'stock channel', child: stockChannel, isShared: false },
    { name: 'usual way', child: usual, isShared: false },
  ];
  const bare: number[] = [];
  const rows: string[][] = [];
  for (const { name, path, amount } of QUERIES) {
    const costs = ways.map((): number[] => []);
    // The first round warms up and does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      bare.push(await costOf(usual, () => '/bare', 10_000));
      for (const [at, { child, isShared }] of ways.entries()) {
        const cost = await costOf(child, isShared ? () => path(0) : path, amount);
        if (round > 0) costs[at]?.push(cost);
      }
    }
    rows.push([name, ...costs.map((rounds) => Math.min(...rounds).toFixed(1))]);
  }
  const floor = Math.min(...bare);
  console.log(`a bare Fastify reply: ${floor.toFixed(1)} µs of CPU`);
  console.log(
    ['| µs of CPU', ...ways.map(({ name }) => name), 'uncached : bare', 'uncached : usual way |'].join(' | '),
  );
  console.log(`|${'---|'.repeat(ways.length + 3)}`);
  for (const row of rows) {
    const [uncached, usualWay] = [Number(row[1]), Number(row.at(-1))];
    console.log(`| ${[...row, (uncached / floor).toFixed(2), (uncached / usualWay).toFixed(2)].join(' | ')} |`);
  }
} finally {
  for (const child of children) await child.stop();
  await node.stop();
}
