import { METHODS } from 'node:http';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { badRequest } from '@mlango/transcoder/bad-request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../catalog/route-table.js';
import { successorPath } from '../catalog/successor.js';
import type { ReplyBytes } from '../nodes/byte-budget.js';
import { type Answer, errorAnswer, withHeaders } from '../query/answer.js';
import type { StreamForm } from '../query/answer-stream.js';
import type { QueryGateway } from '../query/query-gateway.js';
import type { MatchedRequest } from '../query/read-call.js';
import type { TakeTurn } from '../query/take-turns.js';
import { type ReadWatch, readWatch } from '../watch/read-watch.js';
import type { Watching } from '../watch/watching.js';
import { answerMismatch } from './answer-mismatch.js';
import { byteBody } from './byte-body.js';
import type { CancelWithCaller } from './caller-cancellation.js';
import { deprecationHeaders } from './deprecation.js';
import { eventStreamAnswer } from './event-stream-answer.js';
import { readForm } from './form-body.js';
import type { NoteAnswer } from './note-answers.js';
import { type OwnPaths, orOwnPath } from './own-paths.js';
import { headerPairs } from './request-parts.js';
import { send } from './send-answer.js';
import { notKnownYet, type Served } from './served.js';

export interface TranscodeOptions {
  /** `undefined` while it is not known what is served. */
  readonly served: () => Served | undefined;
  readonly note: NoteAnswer;
  readonly cancelWith: CancelWithCaller;
  /** Callers have shown credentials to the gateway itself. */
  readonly isGated: boolean;
  readonly replyBytes: ReplyBytes;
  readonly turn: TakeTurn;
  readonly own: OwnPaths;
  /** Omitted: nothing can be watched. */
  readonly watching?: Watching | undefined;
}

/**
 * The one route behind which all rpcs are. It matches the URL as it was sent: the router's own decoding would lose
 * escaped slashes, and it would bind empty ids.
 */
export async function transcodeRoutes(app: HttpApp, options: TranscodeOptions): Promise<void> {
  allowMethods(app);
  await app.register(async (scope) => {
    byteBody(scope);
    scope.route({
      // With approved origins, preflight requests have a route of their own.
      method: scope.supportedMethods.filter((method) => !scope.hasRoute({ method, url: '/*' })),
      url: '/*',
      schema: { hide: true },
      // What is answered in JSON, or is a sandbox, is no page that other headers could protect.
      config: { programsOnly: true },
      handler: (request, reply) => {
        const wait = options.turn(bodyOf(request).length);
        if (wait === undefined) return answerRequest(request, reply, options);
        return wait.then(() => answerRequest(request, reply, options));
      },
    });
  });
}

const NOTHING_MORE: Readonly<Record<string, string>> = {};

/** Sends the answer, at once where it is known. */
function answerRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  options: TranscodeOptions,
): FastifyReply | Promise<FastifyReply | undefined> {
  const { served, isGated, cancelWith, watching } = options;
  /** @param legacy what tells the caller of a legacy path to move on */
  const finish = (answer: Answer, route?: Route, legacy = NOTHING_MORE) => {
    options.note(request, answer, route?.rpcName);
    return send(reply, answer, legacy, options.replyBytes);
  };
  const now = served();
  if (now === undefined) return finish(notKnownYet());
  const { table, gateway } = now;
  const { url = '/' } = request.raw;
  const content = { method: request.method, url, contentType: request.headers['content-type'], body: bodyOf(request) };
  const form = readForm(table.transcoder, content);
  const match = form?.match ?? table.transcoder.match(request.method, url);
  if (match.kind !== 'found')
    return finish(answerMismatch(orOwnPath(match, url, options.own), request.method, url, table));
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
  if (watching !== undefined && watch !== undefined && ('violations' in watch || watch.asks))
    return finish(watchAnswer(gateway, matched, request, watching, watch), route, legacy);
  const known = gateway.recall(matched);
  if (known !== undefined) return finish(known, route, legacy);
  const isStream = route.rpc.methodKind === 'server_streaming';
  const cancellation = cancelWith(reply, isStream);
  return gateway.answer(matched, cancellation, streamFormOf(request), (answer) => {
    if (!isStream || request.method !== 'HEAD') return whenSent(finish(answer, route, legacy));
    // The headers are all that was asked for.
    cancellation.abort();
    return whenSent(finish({ ...answer, body: '' }, route, legacy));
  });
}

/** What is left to wait for: a reply that is out costs promises where it is handed on as one. */
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
  asked: ReadWatch,
): Answer {
  if ('violations' in asked) return errorAnswer(badRequest(asked.violations));
  const watched = gateway.watched(matched);
  if ('status' in watched) return errorAnswer(watched.status);
  const { query, warning } = watched;
  const events = eventStreamAnswer(watching, request, asked.from, (member) =>
    watching.queries.join(query, member, addressKey(request.ip)),
  );
  return withHeaders(events, warning);
}

function streamFormOf(request: FastifyRequest): StreamForm {
  return request.headers.accept?.includes('text/event-stream') === true ? 'sse' : 'ndjson';
}

/** Rules may name any method, and one that no rule names is told so; Fastify alone routes a few. */
function allowMethods(app: HttpApp): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
}
