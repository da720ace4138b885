import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from '../config.js';
import { loadFlows, shippedFlows } from '../flows/in-service.js';
import { ServedFlows } from '../flows/served-flows.js';
import { watchFlows } from '../flows/watch-flows.js';

/** The dialogues to serve; those of a folder of one's own are served anew when they have changed. @throws {Error} if they are not sound. */
export function openFlows(config: Config, facts: { appName: string }, metrics: Metrics, logger: Logger) {
  const { FLOWS_DIR: folder, FLOWS_RELOAD_SECONDS: seconds } = config;
  const webhooks = Object.keys(config.WEBHOOKS);
  const served = new ServedFlows(loadFlows(folder ?? shippedFlows, facts, webhooks), {
    keptMs: (config.SESSION_TTL_SECONDS + config.RESUME_WINDOW_SECONDS) * 1000,
    clock: Date.now,
  });
  if (folder === undefined || seconds === 0) return { served, stop: async () => {} };
  const changes = metrics.counter({
    name: 'ussd_flow_changes_total',
    help: 'Changes of the folder of flows: served, or refused because they are not sound',
    labelNames: ['outcome'],
  });
  const onChange = (outcome: 'served' | 'refused') => changes.inc({ outcome });
  return { served, ...watchFlows({ folder, facts, webhooks, served, everyMs: seconds * 1000, logger, onChange }) };
}
