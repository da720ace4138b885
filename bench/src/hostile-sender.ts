/**
 * A thread that sends hostile tokens, all of a batch at once, one batch after the other, so that whoever measures is not
 * slowed down by it. Posts how often each status came.
 */
import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { httpGet } from './http-get.js';

const { url, batches } = workerData as { url: string; batches: readonly (readonly string[])[] };
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
const statuses: Record<number, number> = {};

for (const batch of batches) {
  const replies = batch.map((token) =>
    httpGet(url, { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' }, agent),
  );
  for (const { status } of await Promise.all(replies)) statuses[status] = (statuses[status] ?? 0) + 1;
}
agent.destroy();
parentPort?.postMessage(statuses);
