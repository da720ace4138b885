import type { NodeReport } from '@mlango/grpc-channel';
import type { Readiness } from '@mlango/service-kit/health';
import {
  countExtraRequests,
  createHttpApp,
  type HttpApp,
  type RateLimitOptions,
  type SandboxValues,
} from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { OperatorAccess } from '@mlango/service-kit/operator-access';
import type { FastifyBaseLogger, FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Access } from './access/gate.js';
import { requestsOfPlan } from './access/key-plan.js';
import { keyUsage } from './access/key-usage.js';
import { withSecurity } from './access/security-schemes.js';
import { type ReplyStore, scopeOf } from './cache/cluster.js';
import { cacheMetrics, clusterMetrics } from './cache/query-cache.js';
import type { CacheRules } from './cache/reply.js';
import { type CatalogSource, derivedFrom } from './catalog/catalog.js';
import type { Prefixes } from './catalog/legacy-paths.js';
import { describeRoutes, liveDocument } from './catalog/openapi/document.js';
import type { ExampleRequests } from './catalog/openapi/examples.js';
import { rpcsOf } from './catalog/routes.js';
import { keyUsageRoutes, revocationRoute } from './http/access-routes.js';
import { batchRoute } from './http/batch.js';
import { type ConnectionRules, limitConnections } from './http/client-connections.js';
import { corsOptions } from './http/cors.js';
import { renderGatewayError } from './http/errors.js';
import { livenessRoute, nodesRoute } from './http/health-routes.js';
import { indexRoute } from './http/index-page.js';
import { openApiRoute } from './http/openapi.js';
import { protocolRoutes } from './http/protocol-routes.js';
import { cancelWithCallers, unpackRequests } from './http/request.js';
import { requireAccess } from './http/require-access.js';
import { ownPaths, queryRoutes } from './http/routes.js';
import { recordAnswers } from './http/send.js';
import { blockPrinter, blocksRoute } from './http/watch/blocks.js';
import { watchSocketRoute } from './http/watch/socket.js';
import { type ReplyBytes, replyBytesMetrics } from './nodes/byte-budget.js';
import type { ChainNode } from './nodes/chain-node.js';
import { createRpcCalls } from './protocols/call-rpc.js';
import { createQueryGateway } from './query/query-gateway.js';
import { yieldToEventLoop } from './query/yield-to-event-loop.js';
import type { BlockFeed } from './watch/block-feed.js';
import { followChainId } from './watch/chain-id.js';
import { Watching, type WatchPools, type WatchRules } from './watch/watching.js';

export interface AppDeps {
  readonly version: string;
  readonly logger: FastifyBaseLogger;
  readonly catalog: CatalogSource;
  readonly prefixes: Prefixes;
  readonly node: ChainNode;
  /** The state of each node, for operators; omitted: no page of nodes. */
  readonly nodes?: () => readonly NodeReport[];
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly metricsAccess: OperatorAccess;
  readonly securityContacts?: readonly string[];
  /** Headers of HTTP, lower case, that go to the node as `grpcgateway-…`; default: none. */
  readonly permanentHeaders?: ReadonlySet<string>;
  /** For calls without a deadline. */
  readonly defaultTimeoutMs: number;
  /** Idle limit of a stream, in ms. */
  readonly streamIdleMs: number;
  /** The index of a node by its target, for `X-Node`; omitted: answers do not name their node. */
  readonly exposeNode?: ((target: string) => number | undefined) | undefined;
  /** Watches and their limits; omitted: no query can be watched. */
  readonly watch?: { readonly blocks: BlockFeed; readonly rules: WatchRules; readonly pools: WatchPools } | undefined;
  /** The store of replies for all replicas; needs `watch`. Omitted: replies are not shared. */
  readonly sharedReplies?: ReplyStore | undefined;
  /** Omitted: replies are not cached. */
  readonly cache?: CacheRules | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly trustProxy: string[] | false;
  /** The setting `PUBLIC_URL`; omitted: the address that each request names. */
  readonly publicUrl?: string | undefined;
  readonly connections: ConnectionRules;
  /** Bytes of all unsent replies, from nodes and to readers. */
  readonly replyBytes: ReplyBytes;
  /** Omitted: access is open. */
  readonly access?: Access | undefined;
  /** Credentials for the `/docs` page; omitted: none. */
  readonly tryAs?: (() => Promise<SandboxValues>) | undefined;
  readonly rateLimit?: RateLimitOptions;
  readonly corsOrigins?: readonly string[];
  /** Whether `/openapi.json` and `/docs` are served. Default true. */
  readonly docs?: boolean;
  /** Examples of the description; omitted: those in comments. */
  readonly examples?: ExampleRequests;
  readonly tracing?: FastifyPluginCallback | undefined;
}

/** Request bodies carry parameters of a query, not uploads. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Builds the app. Opens no connections, so that tests can inject requests. */
export async function buildApp(deps: AppDeps): Promise<HttpApp> {
  const { access } = deps;
  const usage =
    access?.kind === 'api-key' && deps.rateLimit !== undefined ? keyUsage(deps.rateLimit.store, deps.now) : undefined;
  const rateLimit = deps.rateLimit && {
    keyOf: (request: FastifyRequest) => request.rateLimitKey ?? undefined,
    ...deps.rateLimit,
    ...(usage === undefined ? {} : { store: usage.store, maxOf: requestsOfPlan(deps.rateLimit.max) }),
  };
  const { docs = true } = deps;
  const document = liveDocument(deps.catalog, (catalog) => {
    const options = { version: deps.version, prefix: deps.prefixes.current, examples: deps.examples ?? {} };
    return withSecurity(describeRoutes(catalog?.table.routes ?? [], options), access?.kind);
  });
  const app = await createHttpApp({
    version: deps.version,
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    publicUrl: deps.publicUrl,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    readiness: deps.readiness,
    metrics: deps.metrics,
    metricsAccess: deps.metricsAccess,
    renderError: renderGatewayError,
    securityContacts: deps.securityContacts ?? [],
    tracing: deps.tracing,
    openapi: docs
      ? { title: 'Chain query gateway', description: 'Chain queries over HTTP and JSON.', document, tryAs: deps.tryAs }
      : undefined,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(deps.corsOrigins === undefined || deps.corsOrigins.length === 0 ? {} : { cors: corsOptions(deps.corsOrigins) }),
  });
  limitConnections(app, deps.connections, deps.trustProxy, deps.metrics);
  if (access !== undefined) requireAccess(app, access.gate, deps.metrics, rateLimit?.perAddress);
  if (access?.revocations !== undefined) revocationRoute(app, access.revocations);
  if (usage !== undefined) keyUsageRoutes(app, usage, deps.metrics, deps.rateLimit?.max);
  const isGated = access !== undefined;
  const observer = cacheMetrics(deps.metrics);
  const chainId = deps.watch === undefined ? () => undefined : followChainId(deps.node, deps.watch.blocks);
  const { sharedReplies: store } = deps;
  const sharedBy = store && { store, onLookup: clusterMetrics(deps.metrics) };
  const yieldFor = yieldToEventLoop(deps.now);
  const currentHandlers = derivedFrom(deps.catalog, ({ registry, table }) => {
    const { transcoder } = table;
    const shared = sharedBy && { ...sharedBy, scope: scopeOf(chainId, registry) };
    const gateway = createQueryGateway({ ...deps, transcoder, isGated, observer, shared, yieldFor });
    const callRpc = createRpcCalls({ ...deps, transcoder, queries: gateway.queries, yieldFor });
    return { table, gateway, rpcs: rpcsOf(table.routes), callRpc };
  });
  unpackRequests(app);
  const { replyBytes } = deps;
  replyBytesMetrics(deps.metrics, replyBytes);
  livenessRoute(app);
  if (deps.nodes !== undefined) nodesRoute(app, deps.nodes, deps.metricsAccess);
  if (docs) openApiRoute(app, document, deps.publicUrl);
  indexRoute(app, { ...deps, docs });
  const countExtra = rateLimit === undefined ? undefined : countExtraRequests(rateLimit);
  const { prefixes, defaultTimeoutMs, now } = deps;
  const common = { currentHandlers, record: recordAnswers(deps.metrics), isGated, replyBytes, yieldFor };
  batchRoute(app, { ...common, prefix: prefixes.current, countExtraRequests: countExtra, defaultTimeoutMs, now });
  const watching = openWatching(app, deps, chainId);
  const own = ownPaths(prefixes.current, watching !== undefined);
  const shared = { ...common, cancelWith: cancelWithCallers(app), ownPaths: own, watching };
  if (watching !== undefined) {
    const { corsOrigins = [], connections: sockets } = deps;
    const watchSocket = {
      prefix: prefixes.current,
      watching,
      currentHandlers,
      isGated,
      corsOrigins,
      countExtraRequests: countExtra,
    };
    await watchSocketRoute(app, { ...watchSocket, stalledMs: sockets.stalledMs });
  }
  await protocolRoutes(app, { ...shared, messageLimitBytes: BODY_LIMIT_BYTES });
  await queryRoutes(app, shared);
  return app;
}

function openWatching(app: HttpApp, deps: AppDeps, chainId: () => string | undefined): Watching | undefined {
  if (deps.watch === undefined) return undefined;
  const printBlock = blockPrinter(chainId);
  const watching = new Watching({ ...deps, ...deps.watch, printBlock });
  blocksRoute(app, { prefix: deps.prefixes.current, watching, printBlock, replyBytes: deps.replyBytes });
  app.addHook('preClose', () => watching.close());
  return watching;
}
