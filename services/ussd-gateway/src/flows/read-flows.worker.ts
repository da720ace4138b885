/** Reads a folder of flows beside the event loop that serves hops: checking a large one takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { readFlows } from './in-service.js';

const { folder, facts, webhooks } = z
  .object({ folder: z.string(), facts: z.record(z.string(), z.string()), webhooks: z.array(z.string()) })
  .parse(workerData);
parentPort?.postMessage(readFlows(folder, facts, webhooks));
