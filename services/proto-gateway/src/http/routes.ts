import { METHODS } from 'node:http';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import type { RouteMatch } from '@mlango/transcoder';
import { badRequest } from '@mlango/transcoder/bad-request';
import { splitUrl } from '@mlango/transcoder/request-target';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, errorAnswer, withHeaders } from '../answers/answer.js';
import { successorPath } from '../catalog/legacy-paths.js';
import type { Route } from '../catalog/routes.js';
import type { ReplyBytes } from '../nodes/byte-budget.js';
import type { QueryGateway } from '../query/query-gateway.js';
import type { MatchedRequest } from '../query/read-call.js';
import type { StreamForm } from '../query/stream.js';
import type { YieldForBytes } from '../query/yield-to-event-loop.js';
import { type ReadWatch, readWatch } from '../watch/read-watch.js';
import type { Watching } from '../watch/watching.js';
import { type CurrentHandlers, catalogUnknown } from './current-handlers.js';
import { answerMismatch } from './errors.js';
import { byteBody, type CancelWithCaller, headerPairs, readForm } from './request.js';
import { type RecordAnswer, send } from './send.js';
import { eventStream } from './watch/event-stream.js';

export interface QueryRouteOptions {
  /** `undefined` while the catalog is unknown. */
  readonly currentHandlers: () => CurrentHandlers | undefined;
  readonly record: RecordAnswer;
  readonly cancelWith: CancelWithCaller;
  /** Callers present credentials to the gateway itself. */
  readonly isGated: boolean;
  readonly replyBytes: ReplyBytes;
  readonly yieldFor: YieldForBytes;
  readonly ownPaths: OwnPaths;
  /** Omitted: nothing can be watched. */
  readonly watching?: Watching | undefined;
}

/**
 * The one route for all rpcs. It matches the undecoded URL: the router's own decoding would lose escaped slashes, and
 * it would bind empty ids.
 */
export async function queryRoutes(app: HttpApp, options: QueryRouteOptions): Promise<void> {
  allowMethods(app);
  await app.register(async (scope) => {
    byteBody(scope);
    scope.route({
      // With approved origins, preflight requests have a route of their own.
      method: scope.supportedMethods.filter((method) => !scope.hasRoute({ method, url: '/*' })),
      url: '/*',
      schema: { hide: true },
      // JSON and sandboxed bodies are not pages, so headers for pages are omitted.
      config: { programsOnly: true },
      handler: (request, reply) => {
        const wait = options.yieldFor(bodyOf(request).length);
        if (wait === undefined) return answerRequest(request, reply, options);
        return wait.then(() => answerRequest(request, reply, options));
      },
    });
  });
}

const NOTHING_MORE: Readonly<Record<string, string>> = {};

/** Sends the answer, synchronously if it is known. */
function answerRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  options: QueryRouteOptions,
): FastifyReply | Promise<FastifyReply | undefined> {
  const { currentHandlers, isGated, cancelWith, watching } = options;
  /** @param legacy deprecation headers of a legacy path */
  const finish = (answer: Answer, route?: Route, legacy = NOTHING_MORE) => {
    options.record(request, answer, route?.rpcName);
    return send(reply, answer, legacy, options.replyBytes);
  };
  const current = currentHandlers();
  if (current === undefined) return finish(catalogUnknown());
  const { table, gateway } = current;
  const { url = '/' } = request.raw;
  const content = { method: request.method, url, contentType: request.headers['content-type'], body: bodyOf(request) };
  const form = readForm(table.transcoder, content);
  const match = form?.match ?? table.transcoder.match(request.method, url);
  if (match.kind !== 'found')
    return finish(answerMismatch(matchOwnPath(match, url, options.ownPaths), request.method, url, table));
  const { route } = match;
  const rawQuery = form?.rawQuery ?? match.rawQuery;
  const legacy = route.successor && deprecationHeaders(request.basePath + successorPath(route.successor, match));
  const headers = headerPairs(request, { isGated });
  const watch = watching && readWatch(rawQuery, headers, route.rpc.input);
  const matched: MatchedRequest = {
    route,
    values: match.values,
    rawPath: match.rawPath,
    rawQuery: watch !== undefined && 'rawQuery' in watch ? watch.rawQuery : rawQuery,
    headers,
    body: form === undefined ? content.body : NO_BODY,
    callerAddress: request.ip,
    plan: request.apiKey?.plan,
  };
  if (watching !== undefined && watch !== undefined && ('violations' in watch || watch.isWatch))
    return finish(watchAnswer(gateway, matched, request, watching, watch), route, legacy);
  const known = gateway.findCached(matched);
  if (known !== undefined) return finish(known, route, legacy);
  const isStream = route.rpc.methodKind === 'server_streaming';
  const cancellation = cancelWith(reply, isStream);
  return gateway.answer(matched, cancellation, streamFormOf(request), (answer) => {
    if (!isStream || request.method !== 'HEAD') return whenSent(finish(answer, route, legacy));
    // HEAD needs the headers only.
    cancellation.abort();
    return whenSent(finish({ ...answer, body: '' }, route, legacy));
  });
}

/** A sent reply needs no promise, which would cost time. */
function whenSent(reply: FastifyReply | Promise<FastifyReply>): FastifyReply | Promise<FastifyReply> | undefined {
  return reply instanceof Promise || !reply.sent ? reply : undefined;
}

function bodyOf({ body }: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(body) ? body : NO_BODY;
}

const NO_BODY = new Uint8Array();

function watchAnswer(
  gateway: QueryGateway,
  matched: MatchedRequest,
  request: FastifyRequest,
  watching: Watching,
  parsed: ReadWatch,
): Answer {
  if ('violations' in parsed) return errorAnswer(badRequest(parsed.violations));
  const watched = gateway.watched(matched);
  if ('status' in watched) return errorAnswer(watched.status);
  const { query, warning } = watched;
  const events = eventStream(watching, request, parsed.from, (subscriber) =>
    watching.queries.join(query, subscriber, addressKey(request.ip)),
  );
  return withHeaders(events, warning);
}

function streamFormOf(request: FastifyRequest): StreamForm {
  return request.headers.accept?.includes('text/event-stream') === true ? 'sse' : 'ndjson';
}

/** Rules may use any method, and others get a clear error; Fastify routes only a few by default. */
function allowMethods(app: HttpApp): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
}

/** Date of the deprecation of the legacy prefixes, 2026-01-01T00:00:00Z, in the form of RFC 9745. */
const DEPRECATED_SINCE = '@1767225600';

/** Deprecation headers with the current path. Source: RFC 9745, RFC 8288, RFC 5829. */
function deprecationHeaders(successor: string): Readonly<Record<string, string>> {
  return { deprecation: DEPRECATED_SINCE, link: `<${successor}>; rel="successor-version"` };
}

/** The gateway's own paths under the prefix, with their methods. */
export type OwnPaths = ReadonlyMap<string, readonly string[]>;

export function ownPaths(prefix: string, isWatched: boolean): OwnPaths {
  const watched = isWatched ? ['blocks', 'watch'] : [];
  return new Map([
    [`/${prefix}/batch`, ['POST']],
    ...watched.map((name): [string, string[]] => [`/${prefix}/${name}`, ['GET']]),
  ]);
}

/** A request that matches no rpc may be for one of the gateway's own paths, with another method. */
function matchOwnPath<Match extends RouteMatch<Route>>(
  match: Match,
  url: string,
  own: OwnPaths,
): Match | { readonly kind: 'other_method'; readonly methods: readonly string[] } {
  const methods = match.kind === 'none' ? own.get(splitUrl(url).rawPath) : undefined;
  return methods === undefined ? match : { kind: 'other_method', methods };
}
