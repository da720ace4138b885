import formbody from '@fastify/formbody';
import { ussdLimits } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { isCanonicalOpen, mountedAggregators, withoutAddresses } from '../aggregator-settings.js';
import { type AggregatorRules, readForm } from '../aggregators/adapter.js';
import { assertAggregators } from '../aggregators/registry.js';
import type { Deps } from '../deps.js';
import { ServedCodes } from '../tenants/tenant-registry.js';
import { aggregatorIdentifier } from './identify-aggregator.js';
import type { RefusalLog } from './refusal-log.js';
import { type EndpointContext, serveEndpoint } from './serve-endpoint.js';

/** A route for each endpoint of each enabled aggregator. Only endpoints that take forms get the form parser. */
export async function aggregatorRoutes(
  app: HttpApp,
  deps: Deps,
  isTrusted: (address: string) => boolean,
  refusals: RefusalLog,
): Promise<void> {
  const { config, secrets, tenants, sessionTenants, sessions } = deps;
  app.decorateRequest('aggregatorOrigin', null);
  app.decorateRequest('dialledTenant', null);
  warnOfOpenEndpoint(deps);
  warnOfMissingAddresses(deps);
  const codes = new ServedCodes(tenants, config.flows.SERVICE_CODES);
  const rules: AggregatorRules = {
    codes,
    codeOfService: codeOfService(deps),
    serviceCodeLevels: config.flows.SERVICE_CODE_LEVELS,
    nameSession: (aggregator, phoneNumber, sessionId) =>
      `${aggregator}:${secrets.macOf({ aggregator, phoneNumber, sessionId }, secrets.activeKeyId)?.('session id')}`,
  };
  const routing = { tenants, sessionTenants, sessions, codes };
  const served = mountedAggregators(config.aggregators).map((one) => ({ ...one, aggregator: one.make(rules) }));
  assertAggregators(served.map(({ aggregator }) => aggregator));

  await app.register(async (forms) => {
    await forms.register(formbody, { bodyLimit: ussdLimits.accumulatedBodyBytes, parser: readForm });
    for (const { id, aggregator, origin, caller } of served) {
      const serving: EndpointContext = {
        deps,
        routing,
        countHop: deps.hopCounterOf(id),
        refusals,
        aggregator,
        identifyAggregator: aggregatorIdentifier(origin, caller, isTrusted),
      };
      for (const endpoint of aggregator.endpoints) serveEndpoint(endpoint.form ? forms : app, endpoint, serving);
    }
  });
}

/** In production such an endpoint lets any client act as any phone. */
function warnOfOpenEndpoint({ config, logger }: Deps): void {
  if (!isCanonicalOpen(config.aggregators)) return;
  const remedy = 'set AGGREGATOR_CANONICAL_SECRET or AGGREGATOR_CANONICAL_CIDRS, or restrict it at the proxy';
  logger.warn(`the canonical endpoint POST /api/ussd is open to any client that reaches this service: ${remedy}`);
}

/** Without configured addresses all hops of an aggregator count as one address, and are refused under load. */
function warnOfMissingAddresses({ config, logger }: Deps): void {
  if (config.http.NODE_ENV !== 'production') return;
  const variables = withoutAddresses(config.aggregators);
  if (variables.length === 0) return;
  const limit = `more than ${config.http.RATE_LIMIT_MAX} requests a minute from one address are refused`;
  logger.warn({ variables }, `no addresses are known for these aggregators, nor in RATE_LIMIT_TRUSTED_CIDRS: ${limit}`);
}

/** Unknown ids are logged once each, up to this number: any client may send one to an open endpoint. */
const maxLoggedIds = 20;

function codeOfService({ config, logger }: Deps): AggregatorRules['codeOfService'] {
  const logged = new Set<string>();
  return (serviceId) => {
    const code = config.aggregators.AGGREGATOR_HUBTEL_SERVICE_IDS.get(serviceId);
    if (code !== undefined) return code;
    const message = `Hubtel's service id ${serviceId} has no service code: add ${serviceId}=*<code># to AGGREGATOR_HUBTEL_SERVICE_IDS`;
    if (!logged.has(serviceId) && logged.size < maxLoggedIds) logger.warn(message);
    if (logged.size < maxLoggedIds) logged.add(serviceId);
    throw new ServiceError('invalid_argument', message);
  };
}
