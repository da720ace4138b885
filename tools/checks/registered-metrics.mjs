import { fileURLToPath } from 'node:url';
import { createLogger } from '../../packages/service-kit/dist/logging.js';
import { buildApp as buildOracle } from '../../services/oracle-api/dist/app.js';
import { plannedOracle } from '../../services/oracle-api/dist/assemble-oracle.js';
import { openDeps as openOracle } from '../../services/oracle-api/dist/deps.js';
import { buildApp as buildGateway } from '../../services/proto-gateway/dist/app.js';
import { readConfig as readGatewayConfig } from '../../services/proto-gateway/dist/config.js';
import { openDeps as openGateway } from '../../services/proto-gateway/dist/deps.js';
import { openCatalog } from '../../services/proto-gateway/dist/open-catalog.js';
import { buildApp as buildUssd } from '../../services/ussd-gateway/dist/app.js';
import { readConfig as readUssdConfig } from '../../services/ussd-gateway/dist/config.js';
import { openDeps as openUssd } from '../../services/ussd-gateway/dist/deps.js';

/** @typedef {{ readonly name: string, readonly type: string, readonly labels: readonly string[], readonly help: string }} Registered */

const logger = createLogger({ service: 'metrics', level: 'silent' });

/** Stores that are named, so that all there is to measure of them is there, and not asked for anything: nobody listens there. */
const stores = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  DATABASE_READ_URL: 'postgres://nobody@127.0.0.1:2/none',
  REDIS_URL: 'redis://127.0.0.1:1',
};

/** What turns on all that is measured only where it is set. */
const settings = {
  ussd: {
    ...stores,
    PIN_ENCRYPTION_KEY: 'ab12'.repeat(16),
    ORACLE_URL: 'http://127.0.0.1:1',
    WEBHOOKS: `{"shop":{"url":"https://shop.example/hook","secret":"whsec_${Buffer.alloc(32, 7).toString('base64')}"}}`,
    MESSAGES: '{"provider":"log"}',
    FLOWS_DIR: fileURLToPath(new URL('../../services/ussd-gateway/flows', import.meta.url)),
  },
  oracle: { ...stores, CREDITS: 'local' },
  gateway: {
    REDIS_URL: stores.REDIS_URL,
    GRPC_TARGETS: '127.0.0.1:1',
    PROTO_SHARED_CACHE_BYTES: '1048576',
    GATEWAY_AUTH: 'api-key',
    GATEWAY_API_KEYS: `wallet:${'0f'.repeat(32)}`,
  },
};

/**
 * All metrics of the services, as they are built with everything on.
 * @param {string} dataDir - a folder for what they keep
 * @returns {Promise<ReadonlyMap<string, readonly Registered[]>>} by the names of the services
 */
export async function registeredMetrics(dataDir) {
  const opened = await Promise.all([openedUssd(dataDir), openedOracle(dataDir), openedGateway()]);
  const found = new Map(opened.map(({ service, deps }) => [service, registeredIn(deps.metrics.registry)]));
  await Promise.all(opened.map(({ app, deps }) => app.close().then(() => deps.close())));
  return found;
}

/** @param {string} dataDir */
async function openedUssd(dataDir) {
  const deps = await openUssd(readUssdConfig({ ...settings.ussd, DATA_DIR: dataDir }), logger, '0');
  return { service: 'ussd-gateway', deps, app: await buildUssd(deps) };
}

/** @param {string} dataDir */
async function openedOracle(dataDir) {
  const env = { ...settings.oracle, DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  const { plan } = await plannedOracle({ config: { name: 'Metrics' }, env });
  const persona = { name: plan.config.ORACLE_NAME };
  const deps = await openOracle(plan.config, logger, { ...plan, persona, authExcludedRoutes: [] });
  return { service: 'oracle-api', deps, app: await buildOracle(deps) };
}

async function openedGateway() {
  const config = readGatewayConfig(settings.gateway);
  const deps = await openGateway(config, openCatalog(config), '0', logger);
  return { service: 'proto-gateway', deps, app: await buildGateway(deps) };
}

/**
 * @param {{ getMetricsAsArray(): readonly object[] }} registry
 * @returns {Registered[]}
 */
function registeredIn(registry) {
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, type, labelNames } =
      /** @type {{ name: string, help: string, type: string, labelNames: string[] }} */ (metric);
    return { name, help, type, labels: labelNames };
  });
}
