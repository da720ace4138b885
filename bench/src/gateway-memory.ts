/**
 * Whether the gateway's memory stays flat: as many requests of all three sizes as are asked for, and what the process holds
 * meanwhile. It ends by itself after ten minutes.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGatewayChild } from './gateway-child.js';
import { costOf } from './gateway-load.js';
import { QUERIES } from './gateway-queries.js';
import { startNode } from './goals/start-service.js';

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 1_000_000);
const SAMPLES = 20;
const LIMIT_MS = 600_000;
const PORT = 13_106;
const MIB = 1024 * 1024;

const [params, entity, claims] = QUERIES;
const root = fileURLToPath(new URL('../..', import.meta.url));
const node = await startNode();
const gateway = await startGatewayChild(join(root, 'services/proto-gateway/dist/main.js'), {
  port: PORT,
  healthPath: '/health',
  env: { GRPC_TARGETS: new URL(node.url).host, RATE_LIMIT_MAX: '1000000', ...cacheOf(process.argv[2]) },
});
try {
  const startedAt = performance.now();
  console.log('| requests | RSS MiB | heap MiB |\n|---|---|---|');
  for (let sent = 0, at = 0; at < SAMPLES && performance.now() - startedAt < LIMIT_MS; at += 1) {
    // Mostly small replies, as callers ask for them; each round asks for other heights, so that no key comes twice.
    const amount = Math.floor(REQUESTS / SAMPLES);
    const large = Math.floor(amount / 100);
    await costOf(gateway, (one) => params.rest(at * 16 + one), amount - 2 * large);
    await costOf(gateway, (one) => entity.rest(at * 8 + one), large);
    await costOf(gateway, (one) => claims.rest(at + one), large);
    sent += amount;
    const { rssBytes, heapBytes } = await gateway.usage();
    console.log(`| ${sent} | ${(rssBytes / MIB).toFixed(1)} | ${(heapBytes / MIB).toFixed(1)} |`);
  }
} finally {
  await gateway.stop();
  await node.stop();
}

/** `cache` as the argument keeps replies as well. */
function cacheOf(argument: string | undefined): Record<string, string> {
  return argument === 'cache' ? { PROTO_CACHE_TTL_MS: '1000' } : {};
}
