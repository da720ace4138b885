/**
 * A million hops of different sessions and phones, and the memory of the service's process on the way. `--redis` keeps
 * the sessions in Redis; `--hops <count>` changes how many there are; `--heap <MB>` what old objects may take.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Target } from './load-lines.js';
import { printTable } from './print-table.js';
import { loadMenus } from './ussd-load.js';
import { startUssdServices } from './ussd-services.js';

const { values } = parseArgs({
  options: { redis: { type: 'boolean', default: false }, hops: { type: 'string' }, heap: { type: 'string' } },
});
/** Node collects lazily while there is room. With little of it the heap shows what is kept, and growth ends the process. */
const heapMb = Number(values.heap ?? 384);
const hops = Number(values.hops ?? 1_000_000);
const samples = 10;

const services = await startUssdServices({ NODE_OPTIONS: `--max-old-space-size=${heapMb}` });
try {
  const target = values.redis ? services.onRedis : services.inMemory;
  if (target === undefined) throw new Error('there is no Redis on this machine');
  const rows = [['0', '', '', ...(await memoryOf(target))]];
  for (let sample = 1; sample <= samples; sample++) {
    const measured = await loadMenus(target, { phones: 32, hops: hops / samples });
    const done = String((hops / samples) * sample);
    rows.push([done, measured.perSecond.toFixed(0), measured.p99Ms.toFixed(1), ...(await memoryOf(target))]);
    process.stderr.write(`${done} hops\n`);
  }
  process.stdout.write(`Sessions in ${values.redis ? 'Redis' : 'memory'}:\n\n`);
  printTable(['hops', 'hops/s', 'p99 ms', 'heap MB', 'RSS MB'], rows);
} finally {
  await services.stop();
}

async function memoryOf({ url, pid }: Target): Promise<[string, string]> {
  const metrics = await fetch(`${url}/metrics`).then((reply) => reply.text());
  const heapBytes = Number(/^nodejs_heap_size_used_bytes\{.*\} (\S+)$/m.exec(metrics)?.[1]);
  const rssKb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return [(heapBytes / 2 ** 20).toFixed(0), (rssKb / 1024).toFixed(0)];
}
