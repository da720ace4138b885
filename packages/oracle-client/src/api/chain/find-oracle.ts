import type { QueryClient } from '@tanstack/react-query';
import { type EntityDocument, type EntityService, partOf } from './entity-document.js';
import { entityQuery } from './entity-queries.js';

export interface EntityEndpoints {
  /** Base URL of the oracle's API, without a slash at its end. */
  readonly apiUrl: string;
  /** URL of its sockets; that of the API if the entity names none. */
  readonly socketUrl: string;
}

/** The addresses of an oracle, by its entity; undefined for an entity without an API, or without a URL of it. */
export function endpointsOf({ services }: EntityDocument): EntityEndpoints | undefined {
  const apiUrl = urlOf(partOf(services, 'api') ?? ofType(services, 'oracleService'), ['http:', 'https:']);
  if (apiUrl === undefined) return undefined;
  const socketUrl = urlOf(partOf(services, 'ws') ?? ofType(services, 'wsService'), ['ws:', 'wss:', 'http:', 'https:']);
  return { apiUrl, socketUrl: socketUrl ?? apiUrl };
}

function ofType(services: readonly EntityService[], type: string): EntityService | undefined {
  return services.find((service) => service.type === type);
}

function urlOf(service: EntityService | undefined, protocols: readonly string[]): string | undefined {
  if (service === undefined || !URL.canParse(service.serviceEndpoint)) return undefined;
  const { protocol, origin, host, pathname } = new URL(service.serviceEndpoint);
  if (!protocols.includes(protocol)) return undefined;
  // The origin of a socket is opaque in some runtimes.
  const base = origin === 'null' ? `${protocol}//${host}` : origin;
  return `${base}${pathname}`.replace(/\/+$/, '');
}

/** An oracle that is set per call instead of per hook. */
export interface OracleAddress {
  readonly oracleDid: string;
  /** Takes precedence over the entity. */
  readonly baseUrl?: string;
}

/** Base URL of an oracle's API. Rejects when it is not named, or cannot be found. */
export async function findOracle(
  queryClient: QueryClient,
  gatewayUrl: string | undefined,
  { oracleDid, baseUrl }: Partial<OracleAddress>,
): Promise<string> {
  if (oracleDid === undefined || oracleDid === '') throw new Error('Name the oracle: give its `oracleDid`');
  if (baseUrl !== undefined) return baseUrl;
  const query = entityQuery(gatewayUrl, oracleDid);
  if (query.enabled !== true) throw new Error('Give the provider a `gatewayUrl`, or the oracle a `baseUrl`');
  const named = endpointsOf(await queryClient.fetchQuery(query));
  if (named === undefined) throw new Error("The oracle's entity names no API");
  return named.apiUrl;
}
