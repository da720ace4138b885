import { METHODS } from 'node:http';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../catalog/route-table.js';
import { successorPath } from '../catalog/successor.js';
import type { Answer } from '../query/answer.js';
import type { StreamForm } from '../query/answer-stream.js';
import type { QueryGateway } from '../query/query-gateway.js';
import type { MatchedRequest } from '../query/read-call.js';
import { GRPC_CODES } from '../transcoding/grpc-status.js';
import type { ByteBudget } from '../upstream/byte-budget.js';
import { Cancellation } from '../upstream/cancellation.js';
import { countAnswers } from './answer-metrics.js';
import { answerMismatch } from './answer-mismatch.js';
import { deprecationHeaders } from './deprecation.js';
import { headerPairs, splitUrl } from './request-parts.js';
import { send } from './send-answer.js';
import { notKnownYet, type Served } from './served.js';

export interface TranscodeOptions {
  /** `undefined` while it is not known what is served. */
  readonly served: () => Served | undefined;
  readonly metrics: Metrics;
  /** Callers have shown credentials to the gateway itself. */
  readonly isGated: boolean;
  readonly replyBytes: ByteBudget;
}

/**
 * The one route behind which all rpcs are. It matches the URL as it was sent: the router's own decoding would lose
 * escaped slashes, and it would bind empty ids.
 */
export async function transcodeRoutes(app: HttpApp, options: TranscodeOptions): Promise<void> {
  const running = new Set<Cancellation>();
  const count = countAnswers(options.metrics);
  allowMethods(app);
  await app.register(async (scope) => {
    // Bodies are read by the descriptors, whatever type they say they have.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({
      // With approved origins, preflight requests have a route of their own.
      method: scope.supportedMethods.filter((method) => !scope.hasRoute({ method, url: '/*' })),
      url: '/*',
      schema: { hide: true },
      handler: (request, reply) => {
        const finish = ({ answer, route, legacy }: Answered) => {
          count(route?.rpcName ?? 'none', answer.code);
          logFailure(request, answer, route);
          return send(reply, answer, legacy, options.replyBytes);
        };
        const answered = answerRequest(request, reply, options, running);
        return answered instanceof Promise ? answered.then(finish) : finish(answered);
      },
    });
  });
  // An open stream would hold the shutdown until its deadline.
  app.addHook('preClose', async () => {
    for (const cancellation of running) if (!cancellation.aborted) cancellation.abort();
  });
}

interface Answered {
  readonly answer: Answer;
  readonly route?: Route;
  /** What tells the caller of a legacy path to move on. */
  readonly legacy: Readonly<Record<string, string>>;
}

/** The answer, at once where it is known. */
function answerRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { served, isGated }: TranscodeOptions,
  running: Set<Cancellation>,
): Answered | Promise<Answered> {
  const now = served();
  if (now === undefined) return { answer: notKnownYet(), legacy: {} };
  const { table, gateway } = now;
  const { path, rawQuery } = splitUrl(request.raw.url ?? '/');
  const match = table.trie.match(request.method, path);
  if (match.kind !== 'found') return { answer: answerMismatch(match, request.method, path, table), legacy: {} };
  const { target: route, template, values } = match;
  const { successor } = route;
  const legacy =
    successor === undefined ? {} : deprecationHeaders(successorPath(successor, { rawPath: path, template, values }));
  const matched = {
    route,
    template,
    values,
    rawPath: path,
    rawQuery,
    headers: headerPairs(request, { isGated }),
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
    callerAddress: request.ip,
  };
  const answer = gateway.recall(matched);
  if (answer !== undefined) return { answer, route, legacy };
  return askNode(gateway, matched, request, reply, running).then((asked) => ({ answer: asked, route, legacy }));
}

const NO_BODY = new Uint8Array();

async function askNode(
  gateway: QueryGateway,
  matched: MatchedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  running: Set<Cancellation>,
): Promise<Answer> {
  const cancellation = new Cancellation();
  const isStream = matched.route.rpc.methodKind === 'server_streaming';
  if (isStream) running.add(cancellation);
  reply.raw.once('close', () => {
    running.delete(cancellation);
    // The caller is gone, and nobody waits for the node's reply.
    if (!reply.raw.writableEnded) cancellation.abort();
  });
  const answer = await gateway.answer(matched, cancellation, streamFormOf(request));
  if (!isStream || request.method !== 'HEAD') return answer;
  // The headers are all that was asked for.
  cancellation.abort();
  return { ...answer, body: '' };
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

/**
 * A failure of the node is worth a line with its own words, which the caller does not get. That a node is away is said
 * once, where its connection is watched, and not once more by each call it costs.
 */
function logFailure(request: FastifyRequest, answer: Answer, route: Route | undefined): void {
  if (answer.failure === undefined || answer.status < 500) return;
  const line = { rpc: route?.rpcName, code: answer.code, err: answer.failure };
  if (answer.code === GRPC_CODES.unavailable) request.log.debug(line, 'the chain node gave no answer');
  else request.log.warn(line, 'the chain node gave no answer');
}
