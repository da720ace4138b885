/** Reads a folder of flows beside the event loop that serves hops: checking a large one takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { readServices } from './read-services.js';

const { folder, house } = z
  .object({ folder: z.string(), house: z.object({ appName: z.string(), webhooks: z.array(z.string()) }) })
  .parse(workerData);
parentPort?.postMessage(readServices(folder, house));
