import { join } from 'node:path';
import { createLogger } from '../../packages/service-kit/dist/logging/index.js';
import { buildApp as buildOracle } from '../../services/oracle-api/dist/app.js';
import { openDeps as openOracle } from '../../services/oracle-api/dist/deps.js';
import { loadPlan } from '../../services/oracle-api/dist/oracle.js';
import { buildApp as buildGateway } from '../../services/proto-gateway/dist/app.js';
import { readConfig as readGatewayConfig } from '../../services/proto-gateway/dist/config.js';
import { openCatalog } from '../../services/proto-gateway/dist/deps/open-catalog.js';
import { openDeps as openGateway } from '../../services/proto-gateway/dist/deps.js';
import { buildApp as buildUssd } from '../../services/ussd-gateway/dist/app.js';
import { readConfig as readUssdConfig } from '../../services/ussd-gateway/dist/config.js';
import { openDeps as openUssd } from '../../services/ussd-gateway/dist/deps.js';
import { repositoryRoot } from './project-files.mjs';

// Stores that are configured, so that all their metrics are registered, and never connected to.
const STORES = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  DATABASE_READ_URL: 'postgres://nobody@127.0.0.1:2/none',
  REDIS_URL: 'redis://127.0.0.1:1',
};
const logger = createLogger({ service: 'description', level: 'silent' });

/**
 * The three services in this process with every setting on that adds a route or a metric, for the references that are made from
 * them. Needs the build.
 * @param {string} dataDir
 */
export async function embeddedServices(dataDir) {
  const ussd = await openUssd(
    readUssdConfig({
      ...STORES,
      DATA_DIR: dataDir,
      PIN_ENCRYPTION_KEY: 'ab12'.repeat(16),
      ORACLE_URL: 'http://127.0.0.1:1',
      WEBHOOKS: `{"shop":{"url":"https://shop.example/hook","secret":"whsec_${Buffer.alloc(32, 7).toString('base64')}"}}`,
      MESSAGES: '{"provider":"log"}',
      FLOWS_DIR: join(repositoryRoot, 'services/ussd-gateway/flows'),
    }),
    logger,
    '0',
  );
  const calls = {
    LIVEKIT_URL: 'ws://127.0.0.1:1',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 's'.repeat(32),
    CALLS_AGENT_TOKEN: 't'.repeat(32),
  };
  const env = { ...STORES, ...calls, API_KEYS: 'on', CREDITS: 'local', DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  const { plan } = await loadPlan({ config: { name: 'Oracle' }, env });
  const persona = { name: plan.config.identity.ORACLE_NAME };
  const oracle = await openOracle(plan.config, logger, { ...plan, persona, authExcludedRoutes: [] });
  const gatewayConfig = readGatewayConfig({
    REDIS_URL: STORES.REDIS_URL,
    GRPC_TARGETS: '127.0.0.1:1',
    PROTO_SHARED_CACHE_BYTES: '1048576',
    GATEWAY_AUTH: 'api-key',
    GATEWAY_API_KEYS: `wallet:${'0f'.repeat(32)}`,
  });
  const gateway = await openGateway(gatewayConfig, openCatalog(gatewayConfig), '0', logger);
  const services = [
    { name: 'ussd-gateway', deps: ussd, app: await buildUssd(ussd) },
    { name: 'oracle-api', deps: oracle, app: await buildOracle(oracle) },
    { name: 'proto-gateway', deps: gateway, app: await buildGateway(gateway) },
  ];
  return {
    services,
    close: async () => {
      for (const { app, deps } of services) {
        await app.close();
        await deps.close();
      }
    },
  };
}
