import { ServiceError } from '@mlango/service-kit/errors';
import type { AggregatorRequest } from '../aggregators/adapter.js';
import { scoped, tenantOf } from '../session-scope.js';
import { closeSession } from '../sessions/open-close-session.js';
import type { SessionKey, SessionStore } from '../sessions/session-store.js';
import type { SessionTenantStore } from './session-tenant-store.js';
import type { Tenant } from './tenant.js';
import type { ServedCodes, TenantRegistry } from './tenant-registry.js';
import { defaultTenant } from './tenants-file.js';

export interface Routing {
  readonly tenants: TenantRegistry;
  readonly sessionTenants: SessionTenantStore;
  readonly sessions: SessionStore;
  readonly codes: ServedCodes;
}

type HopRequest = Extract<AggregatorRequest, { kind: 'hop' }>;

export interface RoutedHop {
  readonly tenant: Tenant;
  /** The request as seen by the tenant. */
  readonly request: HopRequest;
  /** Resolves once the routing is stored; the hop waits for it. */
  readonly routeSaved?: Promise<void>;
}

/**
 * Finds the tenant of a hop: by its service code, else by the last code dialled in this session, else by the code that
 * the hop may dial. Synchronous if the default tenant is the only one. Undefined for a hop without a code in an unknown
 * session.
 *
 * @throws {ServiceError} `invalid_argument` for a code that is not served, and for a dial without a code if there are
 * several tenants.
 */
export function findTenant(
  request: HopRequest,
  aggregator: string,
  routing: Routing,
): RoutedHop | Promise<RoutedHop | undefined> {
  const { tenants, codes } = routing;
  const isOfDefault = codes.isOfDefault(request.serviceCode, request.press?.dials === true);
  const { onlyTenant } = tenants;
  return onlyTenant !== undefined && isOfDefault
    ? { tenant: onlyTenant, request }
    : lookUpTenant(request, aggregator, routing, isOfDefault);
}

async function lookUpTenant(
  request: HopRequest,
  aggregator: string,
  { tenants, sessionTenants }: Routing,
  isOfDefault: boolean,
): Promise<RoutedHop | undefined> {
  const { sessionId, phoneNumber, serviceCode, press } = request;
  const key = { aggregator, sessionId, phoneNumber };
  if (serviceCode !== '' || press?.dials === true) {
    const tenant = tenants.dialled(serviceCode);
    if (tenant === undefined || (tenant.id === defaultTenant && !isOfDefault)) throw notServed();
    return { tenant, request, routeSaved: saveRoute(sessionTenants, key, tenant) };
  }
  const dialled = press?.dialIfUnknown && tenants.dialled(press.dialIfUnknown.serviceCode);
  const last = tenants.find((await sessionTenants.find(key)) ?? '');
  if (last === undefined && dialled !== undefined)
    return { tenant: dialled, request, routeSaved: saveRoute(sessionTenants, key, dialled) };
  const tenant = last ?? tenants.find(defaultTenant);
  // A lost session is not started again by an input that equals the code of another tenant.
  const isItsOwn = press === undefined || dialled === tenant;
  return (
    tenant && { tenant, request: isItsOwn ? request : { ...request, press: { ...press, dialIfUnknown: undefined } } }
  );
}

function saveRoute(store: SessionTenantStore, key: SessionKey, tenant: Tenant): Promise<void> {
  const saved = store.save(key, tenant.id);
  // It may reject before it is awaited; a hop that is refused meanwhile never awaits it.
  saved.catch(() => {});
  return saved;
}

function notServed(): ServiceError {
  return new ServiceError('invalid_argument', 'This service code is not served here');
}

type Close = Omit<Extract<AggregatorRequest, { kind: 'close' }>, 'kind'> & { readonly aggregator: string };

/** Ends the session of an id, at the tenant that was dialled last under it. False if no session is live. */
export async function endSession(
  { aggregator, sessionId, phoneNumber }: Close,
  { tenants, sessionTenants, sessions }: Omit<Routing, 'codes'>,
): Promise<boolean> {
  if (phoneNumber === undefined) {
    // Some aggregators send no number: the id alone finds the session that was saved last.
    const scopes = tenants.all.map(({ id }) => scoped(aggregator, id));
    const found = await sessions.findLive(sessionId, scopes);
    if (found === undefined) return false;
    const tenant = tenants.find(tenantOf(found.aggregator));
    return tenant !== undefined && closeSession(found, tenant.hops);
  }
  const key = { aggregator, sessionId, phoneNumber };
  const tenant = tenants.onlyTenant ?? tenants.find((await sessionTenants.find(key)) ?? defaultTenant);
  return tenant !== undefined && closeSession({ ...key, aggregator: scoped(aggregator, tenant.id) }, tenant.hops);
}
