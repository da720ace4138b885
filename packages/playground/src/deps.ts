import { Readiness } from '@mlango/service-kit/health';
import type { Logger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { trustedProxies } from '@mlango/service-kit/proxies';
import { memoryRateLimitStore } from '@mlango/service-kit/rate-limit';
import { startTracing } from '@mlango/service-kit/tracing';
import type { AppDeps } from './app.js';
import type { Config, DevelopmentFeatures } from './config.js';
import { Connections } from './connections.js';

const SERVICE = 'playground';
const RATE_WINDOW_MS = 60_000;
const MAX_LINES = 10_000;

export interface Deps extends AppDeps {
  close(): Promise<void>;
}

/** Dependencies of the app. It needs no service to start: the page shows which services are unavailable. */
export async function openDeps(config: Config & DevelopmentFeatures, version: string, logger: Logger): Promise<Deps> {
  const tracing = await startTracing({ service: SERVICE, version, logger, config });
  return {
    version,
    logger,
    metrics: createMetrics({ service: SERVICE, version }),
    securityContacts: config.SECURITY_CONTACT,
    metricsAccess: { token: config.METRICS_TOKEN, open: config.NODE_ENV !== 'production' },
    readiness: new Readiness({}),
    trustProxy: trustedProxies(config),
    rateLimit: { max: config.RATE_LIMIT_MAX, windowMs: RATE_WINDOW_MS, store: memoryRateLimitStore() },
    tracing: tracing.plugin,
    pageFolder: new URL('../dist/page/', import.meta.url),
    lines: new Connections({ now: () => performance.now(), limit: MAX_LINES }),
    settings: {
      handset: config.HANDSET,
      topUps: config.TOP_UPS,
      serviceCode: config.SERVICE_CODE,
      oracleDid: config.ORACLE_DID,
    },
    services: {
      ussd: { url: config.USSD_GATEWAY_URL, secret: config.AGGREGATOR_CANONICAL_SECRET },
      oracle: { url: config.ORACLE_URL },
      chain: { url: config.PROTO_GATEWAY_URL, apiKey: config.PROTO_GATEWAY_API_KEY },
    },
    close: () => tracing.shutdown(),
  };
}
