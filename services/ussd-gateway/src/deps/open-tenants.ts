import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from '../config.js';
import { messagesOf } from '../connectors/message/messages-settings.js';
import { shippedFlows } from '../flows/read-flow.js';
import { loadTenants, type TenantSource } from '../tenants/read-tenants.js';
import type { TenantParts } from '../tenants/tenant.js';
import { TenantRegistry } from '../tenants/tenant-registry.js';
import { watchFolder } from '../tenants/watch-flows.js';

/** The deployment settings that flows depend on. */
function deploymentOf(config: Config) {
  const offered = {
    webhooks: Object.keys(config.connectors.WEBHOOKS),
    messages: messagesOf(config.connectors) !== undefined,
    oracle: config.connectors.ORACLE_URL !== undefined,
  };
  return { appName: config.flows.APP_NAME, offered, codeLevels: config.flows.SERVICE_CODE_LEVELS };
}

/**
 * The tenants of this deployment. @throws {Error} if they are invalid or cannot be read.
 */
export function loadConfiguredTenants(config: Config): readonly TenantSource[] {
  const { FLOWS_DIR: folder = shippedFlows } = config.flows;
  return loadTenants(folder, deploymentOf(config));
}

/** Activates the loaded tenants; with FLOWS_DIR, also their changes. */
export function openTenants(
  config: Config,
  parts: TenantParts,
  { loaded, metrics, logger }: { loaded: readonly TenantSource[]; metrics: Metrics; logger: Logger },
) {
  const { FLOWS_DIR: folder, FLOWS_RELOAD_SECONDS: seconds } = config.flows;
  const tenants = new TenantRegistry(parts);
  tenants.activate(loaded);
  if (folder === undefined || seconds === 0) return { tenants, stop: async () => {} };
  const changes = metrics.counter({
    name: 'ussd_flow_changes_total',
    help: 'Changes of the flows by outcome: served or refused (invalid).',
    labelNames: ['outcome'],
  });
  // Both series exist from the start, so that an absent one means that flows are not watched.
  for (const outcome of ['served', 'refused']) changes.inc({ outcome }, 0);
  const onChange = (outcome: 'served' | 'refused') => changes.inc({ outcome });
  return {
    tenants,
    ...watchFolder({
      folder,
      deployment: deploymentOf(config),
      tenants,
      everyMs: seconds * 1000,
      logger,
      onChange,
    }),
  };
}
