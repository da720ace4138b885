import {
  choice,
  cidrs,
  contacts,
  flag,
  integer,
  optionalInteger,
  pairs,
  part,
  plainUrl,
  port,
  secret,
  text,
  url,
} from './fields.js';
import type { EnvProblem } from './read-env.js';
import { databaseShape, redisShape } from './stores-shape.js';

/** Loopback, private and unique-local ranges: the usual place of a reverse proxy. */
export const privateRanges = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
] as const;

/** More than a fleet can serve in a minute: an operator of an own indexer may in effect disable the limit. */
const mostRequests = 1_000_000_000;

/** The variables every service process reads. Spread it into the service's own schema. */
export const processShape = (defaults: { port: number; rateLimitMax: number }) => ({
  NODE_ENV: choice(['development', 'test', 'production'], 'development'),
  /** Address to listen on. Default: loopback; a container sets 0.0.0.0. */
  HOST: text('127.0.0.1'),
  PORT: port(defaults.port),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  TRUST_PROXY_ENABLED: flag(false),
  TRUST_PROXY_CIDRS: cidrs(privateRanges),
  /** Requests a minute for one client. */
  RATE_LIMIT_MAX: integer({ default: defaults.rateLimitMax, min: 1, max: mostRequests }),
  /** Bearer token for GET /metrics. Without one the route exists outside production only. */
  METRICS_TOKEN: secret({ minLength: 16 }),
  /** Contacts for vulnerabilities, in `/.well-known/security.txt`. */
  SECURITY_CONTACT: contacts(),
  /** Endpoint for traces (OTLP over HTTP). Tracing is off without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ protocols: ['http:', 'https:'] }),
  /** Resource attributes of traces, besides name and version: `deployment.environment.name=staging,service.instance.id=pod-7`. */
  OTEL_RESOURCE_ATTRIBUTES: pairs(),
  /** Ratio of sampled traces, by their ids. */
  OTEL_TRACES_SAMPLER_ARG: part(1),
  /** How long readiness answers 503 before the listener closes, so that a proxy stops sending. */
  DRAIN_DELAY_MS: integer({ default: 500, min: 0, max: 60_000 }),
  /** Hard deadline of a shutdown, from the signal to the exit. */
  SHUTDOWN_TIMEOUT_MS: integer({ default: 10_000, min: 100, max: 300_000 }),
});

/** The variable of a service that names its own address, in links and in its description. */
export const publicAddressShape = {
  /** The address under which clients reach the service, with the path that a proxy serves it under: `https://api.example/chain`. */
  PUBLIC_URL: plainUrl(),
};

/** The variable of a service with limits per caller: bounds callers with many identities by their address. */
export const perAddressShape = {
  /** Requests a minute of all callers of one address together. */
  RATE_LIMIT_PER_ADDRESS: optionalInteger({ min: 1, max: mostRequests }),
};

/** Default number of callers of one address. */
const callersOfAddress = 10;

export function mostPerAddress(config: {
  RATE_LIMIT_MAX: number;
  RATE_LIMIT_PER_ADDRESS?: number | undefined;
}): number {
  return config.RATE_LIMIT_PER_ADDRESS ?? callersOfAddress * config.RATE_LIMIT_MAX;
}

/** The variables of a service with stored data: a database and a key-value store, or their embedded replacements. */
export const storesShape = (service: string) => ({
  ...databaseShape,
  ...redisShape,
  DATA_DIR: text(`.data/${service}`),
  /** Permits embedded stores in production: one replica, with its data on one disk. */
  ALLOW_EMBEDDED: flag(false),
});

/** In production a service without Postgres or Redis refuses to start, unless `ALLOW_EMBEDDED` is set. */
export function embeddedStoresRule(config: {
  NODE_ENV: string;
  DATABASE_URL?: string | undefined;
  REDIS_URL?: string | undefined;
  ALLOW_EMBEDDED: boolean;
}): EnvProblem[] {
  if (config.NODE_ENV !== 'production' || config.ALLOW_EMBEDDED) return [];
  const missing = (['DATABASE_URL', 'REDIS_URL'] as const).filter((variable) => config[variable] === undefined);
  return missing.map((variable) => ({
    variable,
    message: 'is required in production (ALLOW_EMBEDDED=true accepts the embedded store of one process)',
  }));
}
