/** Reads a folder of flows beside the event loop that serves hops: checking a large one takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { readServices } from './read-services.js';

const offered = z.object({ webhooks: z.array(z.string()), messages: z.boolean() });
const { folder, house } = z
  .object({ folder: z.string(), house: z.object({ appName: z.string(), offered }) })
  .parse(workerData);
parentPort?.postMessage(readServices(folder, house));
