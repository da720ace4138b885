import {
  choice,
  type EnvProblem,
  type EnvSource,
  flag,
  type GroupedConfig,
  groupConfig,
  integer,
  list,
  optionalText,
  processShape,
  publicAddressShape,
  readEnv,
  redisCaRule,
  redisShape,
  telemetryShape,
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

/** Logs, metrics and traces. */
const telemetry = telemetryShape;

/** The process, its addresses and the requests it accepts. */
const http = {
  ...processShape({ port: 3002, rateLimitMax: 6000 }),
  ...publicAddressShape,
  SOCKETS_PER_ADDRESS: integer({ default: 1000, min: 1, max: 1_000_000 }).describe(
    'Connections of one address at the same time, except trusted proxies; more are refused',
  ),
  REPLY_BYTES_IN_FLIGHT: integer({ default: 256 * MIB, min: MIB, max: 64 * 1024 * MIB }).describe(
    'Bytes of unsent replies of all callers, a quarter for one address; one more is 429',
  ),
  DOCS: flag(true).describe(
    "`off` removes `/openapi.json`, which the playground's list of queries reads, `/docs`, and their paths in `/`",
  ),
};

/** The chain nodes and the calls to them. */
const nodes = {
  GRPC_TARGETS: list(['127.0.0.1:9090']).describe(
    '[Chain nodes](#choice-of-a-node): `host:port`, comma-separated, or [a file of YAML][node-file]',
  ),
  GRPC_CONNECT_TIMEOUT_MS: integer({ default: 2000, min: 100, max: 60_000 }).describe(
    'Timeout of a connection to a node; more for distant nodes',
  ),
  GRPC_DEADLINE_MS: integer({ default: 10_000, min: 50, max: 600_000 }).describe(
    'For a request without `Grpc-Timeout`, and for a whole batch',
  ),
  GRPC_STREAM_IDLE_MS: integer({ default: 60_000, min: 50, max: 3_600_000 }).describe(
    'Idle limit of a server stream; without `Grpc-Timeout` it has no other end',
  ),
  GRPC_MAX_LAG_BLOCKS: integer({ default: 3, min: 0, max: 1_000_000 }).describe(
    'Nodes with a larger lag get no queries at the latest block',
  ),
  GRPC_CHANNEL: choice(CHANNELS, 'http2').describe(
    'The channel to nodes: `http2`, a channel of our own, or `grpc-js`, the [conservative choice][channel]',
  ),
  ...tlsShape,
  GRPC_MAX_CALLS: integer({ default: 2000, min: 1, max: 1_000_000 }).describe(
    'Calls to nodes at the same time, of which one address has a quarter; one more is 429',
  ),
  GRPC_MAX_RECEIVE_BYTES: integer({ default: 16 * MIB, min: 1024, max: 256 * MIB }).describe(
    'Largest reply of a node; larger ones are 500',
  ),
  EXPOSE_NODE: flag(false).describe('Whether answers name their node: `X-Node`, and `node` in the items of a batch'),
};

/** The served rpcs, their routes, and the form of requests and replies. */
const catalog = {
  PROTO_PREFIX: optionalText().default('proto').describe('First path segment in place of `ixo`'),
  PROTO_LEGACY_PREFIXES: list(['ixo']).describe('Further first segments, with commas between; `none` for none'),
  PROTO_DESCRIPTOR_SET: optionalText().meta({
    description: 'File descriptor set to serve (`buf build --as-file-descriptor-set -o FILE`)',
    shownDefault: 'that of `@mlango/proto`',
  }),
  PROTO_DISCOVERY: z
    .literal('reflection', 'must be reflection, or unset')
    .optional()
    .describe('`reflection`: the catalog comes from the node'),
  PROTO_HTTP_RULES: optionalText().describe(
    'A `google.api.Service` in YAML, with `http.rules` that override annotations; read at start',
  ),
  PROTO_DISABLED_METHODS: list().describe('`pkg.Service/Method` or `pkg.Service`: answered with 501'),
  PROTO_ALLOW_TX: list()
    .refine((kinds): kinds is TxKind[] => kinds.every((kind) => TX_KINDS.some((known) => known === kind)), {
      message: `must be a comma-separated list of ${TX_KINDS.join(' and ')}`,
    })
    .describe('`simulate`, `broadcast`: allowed [transactions](#transactions)'),
  PROTO_LEGACY_ROUTES: choice(['off', 'on'], 'off').describe('`on` serves the paths of earlier versions of the chain'),
  PROTO_UNKNOWN_QUERY: choice(['ignore', 'warn', 'reject'], 'warn').describe(
    'Unknown parameters, and fields of a body or mask: `ignore`, `warn` (a `Warning` header), `reject` (400)',
  ),
  PROTO_INVALID_UTF8: choice(['replace', 'reject'], 'replace').describe(
    'Invalid UTF-8 in a string of a reply: `replace` (U+FFFD and a `Warning` header) or `reject` (500)',
  ),
  PROTO_PERMANENT_HEADERS: list().describe(
    'Headers such as `user-agent,accept-language` that go to the node as `grpcgateway-…`',
  ),
  PROTO_MAX_PAGE_LIMIT: integer({ default: 1000, min: 1, max: 1_000_000 }).describe('Maximum of items in a page'),
  PROTO_EXAMPLES: optionalText().meta({
    description: 'A file of JSON: a request by rpc, as its example in the description',
    shownDefault: 'those of the mock node; none in production',
  }),
};

/** Replies that cost no call to a node. */
const cache = {
  PROTO_CACHE_TTL_MS: integer({ default: 0, min: 0, max: 3_600_000 }).describe(
    'Lifetime of a cached reply at the latest height; `0` disables the cache',
  ),
  PROTO_SHARED_CACHE_BYTES: integer({ default: 0, min: 0, max: 1024 * 1024 * MIB }).describe(
    'Bytes of [shared replies](#shared-replies) in Redis; `0` shares none',
  ),
  PROTO_SHARED_CACHE_TTL_SECONDS: integer({ default: 600, min: 1, max: 30 * 24 * 3600 }).describe(
    'Lifetime of shared replies',
  ),
};

/** Watched queries. */
const watch = {
  WATCHES_PER_CLIENT: integer({ default: 100, min: 0, max: 1_000_000 }).describe(
    '[Watches](#live-queries) of one key or address; `0` disables watches',
  ),
  WATCHES_MAX: integer({ default: 20_000, min: 0, max: 1_000_000 }).describe('Watches of all callers; one more is 503'),
  WATCH_QUERIES_MAX: integer({ default: 1000, min: 0, max: 1_000_000 }).describe(
    'Watched queries, each one call a block, a quarter first watched by one address; one more is 503',
  ),
  WATCH_CALLS_MAX: integer({ default: 32, min: 1, max: 10_000 }).describe(
    'Calls for watched queries at the same time, a quarter of them for queries of one address',
  ),
};

/** Who may call. */
const access = accessShape;

/** Redis, for rate limits and replies that replicas share. */
const stores = redisShape;

/** The environment variables in groups, in the order in which the README lists them. */
export const settings = { http, nodes, catalog, cache, watch, access, stores, telemetry };

const schema = z.object({ ...http, ...nodes, ...catalog, ...cache, ...watch, ...access, ...stores, ...telemetry });

type Values = z.output<typeof schema>;

/** The values of the variables, by group. */
export type Config = GroupedConfig<typeof settings>;

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
  return groupConfig(settings, { ...values, PROTO_LEGACY_PREFIXES: [...legacy] });
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
