/**
 * What others notice of an attack: the oracle as a real process, 100 hostile tokens at once of each of the worst kinds, again
 * and again; meanwhile the latency of GET /health and of honest requests, beside the quiet case, and the memory.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { startChild } from './child-process.js';
import { hostileKinds } from './hostile-tokens.js';
import { httpGet } from './http-get.js';
import { ORACLE, tokensWith } from './ucan-tokens.js';

const PORT = 13_011;
const AT_ONCE = 100;
const BATCHES = 20;
const PAUSE_MS = 5;
const INDEXER_MS = 300;
const QUIET_MS = 3000;
const HEALTH_LIMIT_MS = 50;

const [known = '', ...fresh] = await tokensWith(0, 8000);

interface Latencies {
  readonly health: number[];
  /** Honest requests whose token was seen before, as most are, and whose token is new. */
  readonly known: number[];
  readonly fresh: number[];
}

/** Asks in turn for health, and for sessions with a known and with a new token, until `isOver`. */
async function probe(url: string, isOver: () => boolean): Promise<Latencies> {
  // Its own connection: one that idled between two attacks could be closed as it is used.
  const agent = new Agent({ keepAlive: true });
  const latencies: Latencies = { health: [], known: [], fresh: [] };
  const ask = async (path: string, into: number[], token?: string) => {
    const headers = token === undefined ? undefined : { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
    const { status, ms } = await httpGet(`${url}${path}`, headers ?? {}, agent);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    into.push(ms);
  };
  while (!isOver()) {
    await ask('/health', latencies.health);
    await ask('/sessions', latencies.known, known);
    await ask('/sessions', latencies.fresh, fresh.pop());
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return latencies;
}

async function attack(url: string, batches: readonly (readonly string[])[]) {
  const worker = new Worker(new URL('./hostile-sender.js', import.meta.url), {
    workerData: { url: `${url}/sessions`, batches },
  });
  let isOver = false;
  const sent = once(worker, 'message').finally(() => {
    isOver = true;
  });
  const [measured, [statuses]] = await Promise.all([probe(url, () => isOver), sent]);
  return { ...measured, statuses: JSON.stringify(statuses) };
}

function percentiles(values: readonly number[]): string[] {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return [at(0.5), at(0.99), at(1)];
}

function residentMb(pid: number): string {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) / 1024).toFixed(0);
}

// An indexer that takes its time and knows nobody.
const indexer = createServer((_, reply) => {
  setTimeout(() => reply.end(JSON.stringify({ data: { iids: { nodes: [] } } })), INDEXER_MS);
}).listen(0, '127.0.0.1');
await once(indexer, 'listening');
const address = indexer.address();
if (address === null || typeof address === 'string') throw new Error('no port');

const oracle = await startChild(fileURLToPath(new URL('../../services/oracle-api/dist/main.js', import.meta.url)), {
  port: PORT,
  healthPath: '/health',
  env: {
    PORT: String(PORT),
    DATA_DIR: mkdtempSync(join(tmpdir(), 'bench-')),
    RATE_LIMIT_MAX: '1000000',
    ORACLE_DID: ORACLE,
    BLOCKSYNC_GRAPHQL_URL: `http://127.0.0.1:${address.port}/graphql`,
  },
});
try {
  const rowOf = (name: string, { health, known: seen, fresh: unseen }: Latencies, statuses: string) =>
    [name, ...[health, seen, unseen].flatMap(percentiles), residentMb(oracle.pid), statuses].join(' | ');
  const over = Date.now() + QUIET_MS;
  await probe(oracle.url, () => Date.now() > over - QUIET_MS / 2);
  const quiet = await probe(oracle.url, () => Date.now() > over);
  const rows = [rowOf('quiet', quiet, '')];
  const slowest: number[] = [];
  for (const { name, make } of hostileKinds()) {
    const batches: string[][] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      batches.push(await Promise.all(Array.from({ length: AT_ONCE }, make)));
    }
    const { statuses, ...latencies } = await attack(oracle.url, batches);
    slowest.push(...latencies.health);
    rows.push(rowOf(name, latencies, statuses));
  }
  const spread = ['p50', 'p99', 'max'];
  const columns = ['health', 'known token', 'new token'].flatMap((name) => spread.map((part) => `${name} ${part} ms`));
  const head = [`${AT_ONCE} at once`, ...columns, 'RSS MB', 'replies'];
  const table = [head.join(' | '), head.map(() => '---').join(' | '), ...rows];
  process.stdout.write(`${table.map((line) => `| ${line} |`).join('\n')}\n`);
  const tooSlow = slowest.filter((ms) => ms > HEALTH_LIMIT_MS).length;
  process.stdout.write(`health within ${HEALTH_LIMIT_MS} ms: ${slowest.length - tooSlow} of ${slowest.length}\n`);
  if (tooSlow > slowest.length / 100) process.exitCode = 1;
} finally {
  await oracle.stop();
  indexer.closeAllConnections();
  indexer.close();
}
