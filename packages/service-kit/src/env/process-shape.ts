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

/** The variables of logs, metrics and traces, which every service process reads. */
export const telemetryShape = {
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info').describe(
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  ),
  METRICS_TOKEN: secret({ minLength: 16 }).describe(
    'Bearer token for `GET /metrics`; without it the route exists outside production only',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ protocols: ['http:', 'https:'] }).describe(
    'Receiver of [traces](../../docs/operations/traces.md); none are recorded without it',
  ),
  OTEL_RESOURCE_ATTRIBUTES: pairs().describe('Attributes of traces: `name=value`, comma-separated'),
  OTEL_TRACES_SAMPLER_ARG: part(1).describe('Sampled share of the traces, 0 to 1'),
};

/** The variables of the address, the callers and the shutdown, which every service process reads. Spread it into the service's own schema. */
export const processShape = (defaults: { port: number; rateLimitMax: number }) => ({
  NODE_ENV: choice(['development', 'test', 'production'], 'development').describe(
    '`production` refuses embedded stores and [guessable secrets](../../docs/operations/README.md#secrets)',
  ),
  HOST: text('127.0.0.1').describe('Address to listen on; a container sets `0.0.0.0`'),
  PORT: port(defaults.port).describe('Port to listen on'),
  TRUST_PROXY_ENABLED: flag(false).describe(
    'Whether `X-Forwarded-For` and `X-Forwarded-Prefix` of the proxies in `TRUST_PROXY_CIDRS` are trusted',
  ),
  TRUST_PROXY_CIDRS: cidrs(privateRanges).meta({
    description: 'Addresses of trusted proxies',
    shownDefault: 'loopback and private ranges',
  }),
  RATE_LIMIT_MAX: integer({ default: defaults.rateLimitMax, min: 1, max: mostRequests }).describe(
    'Requests a minute of one caller: a user, a key, or an address without either',
  ),
  SECURITY_CONTACT: contacts().describe(
    'Contacts in `/.well-known/security.txt`, which exists with one: `mailto:`, `https:`, `tel:` URIs, comma-separated',
  ),
  DRAIN_DELAY_MS: integer({ default: 500, min: 0, max: 60_000 }).describe(
    'How long readiness answers 503 before the listener closes',
  ),
  SHUTDOWN_TIMEOUT_MS: integer({ default: 10_000, min: 100, max: 300_000 }).describe('Hard deadline of a shutdown'),
});

/** The variable of a service that names its own address, in links and in its description. */
export const publicAddressShape = {
  PUBLIC_URL: plainUrl().meta({
    description: 'Address of the service for clients, with the path of a proxy: `https://api.example/chain`',
    shownDefault: 'as each request names it',
  }),
};

/** The variable of a service with limits per caller: bounds callers with many identities by their address. */
export const perAddressShape = {
  RATE_LIMIT_PER_ADDRESS: optionalInteger({ min: 1, max: mostRequests }).meta({
    description: 'Requests a minute of all callers of one address together',
    shownDefault: '10 × `RATE_LIMIT_MAX`',
  }),
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
  DATA_DIR: text(`.data/${service}`).describe('Folder of the embedded database and of development keys'),
  ALLOW_EMBEDDED: flag(false).describe('Permits embedded stores in production, for one replica'),
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
