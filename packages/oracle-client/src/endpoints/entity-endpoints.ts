import { type EntityDocument, type EntityService, partOf } from '../chain/entity-document.js';

export interface EntityEndpoints {
  /** Base URL of the oracle's API, without a slash at its end. */
  readonly apiUrl: string;
  /** Of its sockets; that of the API where the entity names none. */
  readonly socketUrl: string;
}

/** Where an oracle is, by its entity; undefined for an entity that names no API, or not with a URL. */
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
