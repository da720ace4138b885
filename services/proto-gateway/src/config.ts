import {
  choice,
  type EnvProblem,
  type EnvSource,
  flag,
  integer,
  list,
  optionalText,
  processShape,
  publicAddressShape,
  readEnv,
  redisCaRule,
  redisShape,
} from '@mlango/service-kit/env';
import { PERMANENT_HEADERS } from '@mlango/transcoder/permanent-headers';
import { z } from 'zod';
import { accessShape, checkAccess } from './access/settings.js';
import { TX_KINDS, type TxKind } from './catalog/routes.js';
import { CHANNELS, checkTargets } from './nodes/targets.js';
import { checkTls, tlsShape } from './nodes/tls.js';

/** The first segments this service uses for itself. */
const OWN_SEGMENTS = ['health', 'docs', 'metrics', 'openapi.json', 'batch', 'revocations', 'usage'];
const MIB = 1024 * 1024;

/** Logs, metrics and traces are a group of their own. */
const {
  LOG_LEVEL,
  METRICS_TOKEN,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER_ARG,
  ...process
} = processShape({ port: 3002, rateLimitMax: 6000 });
const telemetry = {
  LOG_LEVEL,
  METRICS_TOKEN,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_RESOURCE_ATTRIBUTES,
  OTEL_TRACES_SAMPLER_ARG,
};

/** The process, its addresses and the requests it accepts. */
const http = {
  ...process,
  ...publicAddressShape,
  /** Connections of one address at the same time. */
  SOCKETS_PER_ADDRESS: integer({ default: 1000, min: 1, max: 1_000_000 }),
  /** Bytes of unsent replies, from nodes and to readers, all together. */
  REPLY_BYTES_IN_FLIGHT: integer({ default: 256 * MIB, min: MIB, max: 64 * 1024 * MIB }),
  /** The description of the routes, at /openapi.json and /docs. */
  DOCS: flag(true),
};

/** The chain nodes and the calls to them. */
const nodes = {
  /** Chain nodes, `host:port` each, or `host:port@from-to` with the heights they have; or a file of YAML with the settings of each. */
  GRPC_TARGETS: list(['127.0.0.1:9090']),
  /** Timeout of a connection to a node. */
  GRPC_CONNECT_TIMEOUT_MS: integer({ default: 2000, min: 100, max: 60_000 }),
  /** Deadline of calls without their own. */
  GRPC_DEADLINE_MS: integer({ default: 10_000, min: 50, max: 600_000 }),
  /** Idle limit of a stream; its only other deadline is that of its caller. */
  GRPC_STREAM_IDLE_MS: integer({ default: 60_000, min: 50, max: 3_600_000 }),
  /** Nodes with a larger lag get no queries at the latest block. */
  GRPC_MAX_LAG_BLOCKS: integer({ default: 3, min: 0, max: 1_000_000 }),
  /** The channel to nodes: the gateway's own, or the one of grpc-js. */
  GRPC_CHANNEL: choice(CHANNELS, 'http2'),
  ...tlsShape,
  /** Calls to nodes at the same time. */
  GRPC_MAX_CALLS: integer({ default: 2000, min: 1, max: 1_000_000 }),
  GRPC_MAX_RECEIVE_BYTES: integer({ default: 16 * MIB, min: 1024, max: 256 * MIB }),
  /** `X-Node` in answers: the index of the node, or `cache`. */
  EXPOSE_NODE: flag(false),
};

/** The served rpcs, their routes, and the form of requests and replies. */
const catalog = {
  /** First path segment, in place of the one the chain publishes. */
  PROTO_PREFIX: optionalText().default('proto'),
  /** Further first segments with the same routes, for older clients; `none` for none. */
  PROTO_LEGACY_PREFIXES: list(['ixo']),
  /** A file descriptor set to serve instead of the one of this build. */
  PROTO_DESCRIPTOR_SET: optionalText(),
  /** `reflection`: the catalog comes from the node. */
  PROTO_DISCOVERY: z.literal('reflection', 'must be reflection, or unset').optional(),
  /** A `google.api.Service` in YAML: its rules override the annotations of their methods. */
  PROTO_HTTP_RULES: optionalText(),
  /** `pkg.Service/Method` or `pkg.Service`: answered with 501. */
  PROTO_DISABLED_METHODS: list(),
  /** Allowed transactions; none unless set. */
  PROTO_ALLOW_TX: list().refine(
    (kinds): kinds is TxKind[] => kinds.every((kind) => TX_KINDS.some((known) => known === kind)),
    {
      message: `must be a comma-separated list of ${TX_KINDS.join(' and ')}`,
    },
  ),
  /** Paths of earlier versions of the chain. */
  PROTO_LEGACY_ROUTES: choice(['off', 'on'], 'off'),
  PROTO_UNKNOWN_QUERY: choice(['ignore', 'warn', 'reject'], 'warn'),
  /** Handling of bytes that are not UTF-8 in a string of a reply. */
  PROTO_INVALID_UTF8: choice(['replace', 'reject'], 'replace'),
  /** Headers of HTTP that go to the node as `grpcgateway-…`. */
  PROTO_PERMANENT_HEADERS: list(),
  PROTO_MAX_PAGE_LIMIT: integer({ default: 1000, min: 1, max: 1_000_000 }),
  /** A file of JSON with a request for each rpc that gets an example in the description. */
  PROTO_EXAMPLES: optionalText(),
};

/** Replies that cost no call to a node. */
const cache = {
  /** Lifetime of a cached reply at the latest height; 0 disables the cache. */
  PROTO_CACHE_TTL_MS: integer({ default: 0, min: 0, max: 3_600_000 }),
  /** Bytes of replies that replicas share in Redis, all together; 0 shares none. */
  PROTO_SHARED_CACHE_BYTES: integer({ default: 0, min: 0, max: 1024 * 1024 * MIB }),
  PROTO_SHARED_CACHE_TTL_SECONDS: integer({ default: 600, min: 1, max: 30 * 24 * 3600 }),
};

/** Watched queries. */
const watch = {
  /** Watches of one key or address, and in total, at the same time. */
  WATCHES_PER_CLIENT: integer({ default: 100, min: 0, max: 1_000_000 }),
  WATCHES_MAX: integer({ default: 20_000, min: 0, max: 1_000_000 }),
  /** Watched queries, each of which is one call a block, and such calls at the same time. */
  WATCH_QUERIES_MAX: integer({ default: 1000, min: 0, max: 1_000_000 }),
  WATCH_CALLS_MAX: integer({ default: 32, min: 1, max: 10_000 }),
};

/** Who may call. */
const access = accessShape;

/** Redis, for rate limits and replies that replicas share. */
const stores = redisShape;

const groups = { http, nodes, catalog, cache, watch, access, stores, telemetry };

const schema = z.object({ ...http, ...nodes, ...catalog, ...cache, ...watch, ...access, ...stores, ...telemetry });

type Values = z.output<typeof schema>;

/** The values of the variables, by group. */
export type Config = { readonly [Name in keyof typeof groups]: z.output<z.ZodObject<(typeof groups)[Name]>> };

/** Read by `@grpc/grpc-js` itself. */
const OF_LIBRARY =
  /^GRPC_(?:VERBOSITY|TRACE|NODE_.*|SSL_CIPHER_SUITES|DEFAULT_SSL_ROOTS_FILE_PATH|EXPERIMENTAL_.*|PROXY.*)$/;

/** Unknown variables with a prefix of this service: most are misspelt. */
export function unknownSettings(source: EnvSource): readonly string[] {
  return Object.keys(source).filter((name) => {
    if (!/^(?:GRPC|PROTO)_/.test(name) || OF_LIBRARY.test(name)) return false;
    return !(name in schema.shape || name.replace(/_FILE$/, '') in schema.shape);
  });
}

/** @throws {EnvError} naming every invalid or unsafe variable */
export function readConfig(source: EnvSource): Config {
  const values = readEnv(schema, source, [
    checkPrefixes,
    checkTargets,
    checkHeaders,
    checkSharedCache,
    checkTls,
    checkAccess,
    redisCaRule,
  ]);
  const legacy = new Set(values.PROTO_LEGACY_PREFIXES);
  legacy.delete('none');
  legacy.delete(values.PROTO_PREFIX);
  return byGroup({ ...values, PROTO_LEGACY_PREFIXES: [...legacy] });
}

function byGroup(values: Values): Config {
  const group = (shape: object) =>
    Object.fromEntries(Object.keys(shape).map((name) => [name, values[name as keyof Values]]));
  return Object.fromEntries(Object.entries(groups).map(([name, shape]) => [name, group(shape)])) as Config;
}

function checkPrefixes(config: Values): EnvProblem[] {
  const current = prefixProblem('PROTO_PREFIX', config.PROTO_PREFIX);
  return [
    ...current,
    ...config.PROTO_LEGACY_PREFIXES.flatMap((prefix) => prefixProblem('PROTO_LEGACY_PREFIXES', prefix)),
  ];
}

function prefixProblem(variable: string, prefix: string): EnvProblem[] {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(prefix)) {
    return [{ variable, message: 'must be one path segment of letters, digits, - and _' }];
  }
  return OWN_SEGMENTS.includes(prefix)
    ? [{ variable, message: `must not be ${prefix}, which is a path of the service` }]
    : [];
}

function checkHeaders({ PROTO_PERMANENT_HEADERS: names }: Values): EnvProblem[] {
  const unknown = names.filter((name) => !PERMANENT_HEADERS.has(name.toLowerCase()));
  const message = `must name headers of ${[...PERMANENT_HEADERS].join(', ')}`;
  return unknown.length === 0 ? [] : [{ variable: 'PROTO_PERMANENT_HEADERS', message }];
}

function checkSharedCache({ PROTO_SHARED_CACHE_BYTES: bytes, REDIS_URL: redis }: Values): EnvProblem[] {
  if (bytes === 0 || redis !== undefined) return [];
  return [{ variable: 'PROTO_SHARED_CACHE_BYTES', message: 'needs REDIS_URL, which stores the replies' }];
}
