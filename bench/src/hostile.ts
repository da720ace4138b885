/**
 * What others notice of an attack: the oracle as a real process, 100 hostile tokens at once of each of the worst kinds, again
 * and again; meanwhile the latency of GET /health and of honest requests, beside the quiet case and beside an idle process
 * on the same machine, and the memory.
 */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { startAnnouncedChild, startChild } from './child-process.js';
import { Noticed, type Probed, probe } from './hostile-probe.js';
import { headOfNoticed, rowOfNoticed, verdict } from './hostile-report.js';
import { hostileKinds } from './hostile-tokens.js';
import { startOwnPostgres } from './own-postgres.js';
import { freePort } from './own-server.js';
import { printTable } from './print-table.js';
import { residentMb } from './resident-mb.js';
import { startSlowIndexer } from './slow-indexer.js';
import { ORACLE, tokensWith } from './ucan-tokens.js';

const AT_ONCE = 100;
const BATCHES = 10;
const ROUNDS = 3;
const QUIET_MS = 3000;

const [knownToken = '', ...fresh] = await tokensWith(0, 12_000);

async function attack(probed: Probed, batches: readonly (readonly string[])[], into: readonly Noticed[]) {
  const worker = new Worker(new URL('./hostile-sender.js', import.meta.url), {
    workerData: { url: `${probed.service.url}/sessions`, batches },
  });
  let isOver = false;
  const sent = once(worker, 'message').finally(() => {
    isOver = true;
  });
  const [[statuses]] = await Promise.all([sent, probe(probed, into, () => isOver)]);
  return statuses as Readonly<Record<string, number>>;
}

const postgres = await startOwnPostgres();
const indexer = await startSlowIndexer();
const idle = await startAnnouncedChild(fileURLToPath(new URL('./floor.js', import.meta.url)));
const port = await freePort();
const service = await startChild(fileURLToPath(new URL('../../services/oracle-api/dist/main.js', import.meta.url)), {
  port,
  healthPath: '/health',
  env: {
    PORT: String(port),
    DATA_DIR: mkdtempSync(join(tmpdir(), 'bench-')),
    RATE_LIMIT_MAX: '1000000',
    ORACLE_DID: ORACLE,
    BLOCKSYNC_GRAPHQL_URL: indexer.url,
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
  },
});
const probed: Probed = { service, idle, knownToken, freshToken: () => fresh.pop() ?? '' };

async function quietly(into: readonly Noticed[]): Promise<void> {
  const over = Date.now() + QUIET_MS;
  await probe(probed, into, () => Date.now() > over);
}

try {
  await quietly([]);
  const quiet = new Noticed();
  await quietly([quiet]);
  const all = new Noticed();
  const kinds = hostileKinds().map((kind) => ({ ...kind, noticed: new Noticed(), replies: new Map<string, number>() }));
  const memoryMb = [residentMb(service.pid)];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { make, noticed, replies } of kinds) {
      const batches: string[][] = [];
      for (let batch = 0; batch < BATCHES; batch++) {
        batches.push(await Promise.all(Array.from({ length: AT_ONCE }, make)));
      }
      for (const [status, count] of Object.entries(await attack(probed, batches, [all, noticed]))) {
        replies.set(status, (replies.get(status) ?? 0) + count);
      }
    }
    memoryMb.push(residentMb(service.pid));
  }
  printTable(headOfNoticed(`${AT_ONCE} at once`), [
    rowOfNoticed('quiet', quiet, new Map()),
    ...kinds.map(({ name, noticed, replies }) => rowOfNoticed(name, noticed, replies)),
  ]);
  const { lines, isGood } = verdict(all, indexer.asked);
  const stores = postgres === undefined ? 'the embedded database among it' : 'with a Postgres beside it';
  const memory = `memory before and after each round: ${memoryMb.join(', ')} MB, ${stores}`;
  process.stdout.write(`\n${[...lines, memory].join('\n')}\n`);
  if (!isGood) process.exitCode = 1;
} finally {
  await service.stop();
  await idle.stop();
  indexer.stop();
  await postgres?.stop();
}
