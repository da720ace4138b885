/**
 * How long the query gateway takes to answer after its start, and how much CPU until then: as it is built, with the chain's own
 * modules alone, and, with `BENCH_BESIDE=<folder>`, that of another tree of this repository. They take turns; the best counts.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGatewayChild } from './gateway-child.js';
import { printTable } from './print-table.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const PORT = 13_110;

const root = fileURLToPath(new URL('../..', import.meta.url));
const beside = process.env['BENCH_BESIDE'];
const trees = [
  { name: 'as it is', folder: root },
  ...(beside === undefined ? [] : [{ name: 'beside', folder: beside }]),
].map((tree) => ({ ...tree, ms: [] as number[], cpuMs: [] as number[], rssBytes: [] as number[] }));

// The first round reads files nobody has read yet, and does not count.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const { folder, ms, cpuMs, rssBytes } of trees) {
    const startedAt = performance.now();
    const child = await startGatewayChild(join(folder, 'services/proto-gateway/dist/main.js'), {
      port: PORT,
      healthPath: '/health',
      env: { GRPC_TARGETS: '127.0.0.1:1' },
    });
    const tookMs = performance.now() - startedAt;
    const usage = await child.usage();
    if (round > 0) {
      ms.push(tookMs);
      cpuMs.push(usage.cpuUs / 1000);
      rssBytes.push(usage.rssBytes);
    }
    await child.stop();
  }
}
const rows = trees.map(({ name, ms, cpuMs, rssBytes }) => {
  const best = [Math.min(...ms), Math.min(...cpuMs), Math.min(...rssBytes) / 1e6];
  return [name, ...best.map((value) => value.toFixed(0))];
});
printTable(['gateway', 'ms to the first answer', 'ms of CPU until then', 'MB resident'], rows);
