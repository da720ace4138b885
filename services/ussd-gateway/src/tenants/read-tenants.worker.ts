/** Reads a folder of flows in a worker, on request, so that the event loop keeps serving hops. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { FlowSource } from '../flows/build-flow.js';
import { readTenants } from './read-tenants.js';

const offered = z.object({ webhooks: z.array(z.string()), messages: z.boolean(), oracle: z.boolean() });
const { folder, deployment } = z
  .object({
    folder: z.string(),
    deployment: z.object({ appName: z.string(), offered, codeLevels: z.int().optional() }),
  })
  .parse(workerData);
let known = new Map<string, FlowSource>();

parentPort?.on('message', (served: readonly string[]) => {
  const sound = new Map<string, FlowSource>();
  const read = readTenants(folder, deployment, {
    find: (key) => known.get(key),
    keep: (key, source) => sound.set(key, source),
  });
  known = sound;
  const sent = ({ id, revision, ...rest }: FlowSource) =>
    served.includes(revision) ? { id, revision } : { id, revision, ...rest };
  parentPort?.postMessage(
    read.problems === undefined
      ? { services: read.services.map((one) => ({ ...one, flows: one.flows.map(sent) })) }
      : read,
  );
});
