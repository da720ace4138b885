import { HEIGHT_HEADER } from '@mlango/cosmos-rest/heights';
import { type GatewayBatchRequest, gatewayBatchRequest } from '@mlango/schemas/proto-gateway';
import { type HttpApp, whenReplyClosed } from '@mlango/service-kit/http-app';
import { badRequest } from '@mlango/transcoder/bad-request';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { BAD_TIMEOUT, parseGrpcTimeout, TIMEOUT_HEADER } from '@mlango/transcoder/grpc-timeout';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';
import type { FastifyRequest } from 'fastify';
import { type Answer, errorAnswer, JSON_TYPE } from '../answers/answer.js';
import type { ReplyBytes } from '../nodes/byte-budget.js';
import { answerBatch, batchHeight } from '../query/batch.js';
import { onlyHeader } from '../query/read-call.js';
import type { YieldForBytes } from '../query/yield-to-event-loop.js';
import { type CurrentHandlers, catalogUnknown } from './current-handlers.js';
import { answerMismatch } from './errors.js';
import { headerPairs } from './request.js';
import { type RecordAnswer, send } from './send.js';

export interface BatchOptions {
  /** The first path segment in use. */
  readonly prefix: string;
  /** `undefined` while the catalog is unknown. */
  readonly currentHandlers: () => CurrentHandlers | undefined;
  /** Callers present credentials to the gateway itself. */
  readonly isGated: boolean;
  /** Counts the paths of a batch beyond the first against the caller's limit; rejects when it is reached. */
  readonly countExtraRequests?: ((request: FastifyRequest, times: number) => Promise<void>) | undefined;
  /** For a batch without a deadline. */
  readonly defaultTimeoutMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly replyBytes: ReplyBytes;
  readonly yieldFor: YieldForBytes;
  /** Called with the answer to each path. */
  readonly record: RecordAnswer;
}

/** Fifty paths of 4096 characters. Parsing a long body of brackets is slow. */
const BODY_LIMIT_BYTES = 256 * 1024;
const RULES = { concurrency: 8, limitBytes: 16 * 1024 * 1024 };
/** Headers of the batch as a whole, not of its paths. */
const BATCH_HEADERS = /^(?:if-none-match|x-cosmos-block-height|grpc-timeout)$/i;
const NO_BODY = new Uint8Array();

/** `POST /<prefix>/batch`: up to 50 GET paths, answered at one height. */
export function batchRoute(app: HttpApp, options: BatchOptions): void {
  const {
    prefix,
    currentHandlers,
    isGated,
    countExtraRequests,
    defaultTimeoutMs,
    now: clock,
    replyBytes,
    yieldFor,
    record,
  } = options;
  const schema = { hide: true, body: gatewayBatchRequest };
  app.post(`/${prefix}/batch`, { schema, bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    const { paths, height }: GatewayBatchRequest = request.body;
    if (paths.length > 1) await countExtraRequests?.(request, paths.length - 1);
    const current = currentHandlers();
    if (current === undefined) return send(reply, catalogUnknown(), {}, replyBytes);
    const { table, gateway } = current;
    const controller = new AbortController();
    whenReplyClosed(reply.raw, () => {
      if (!reply.raw.writableEnded) controller.abort();
    });
    const headers = headerPairs(request, { isGated });
    const violations: Violation[] = [];
    const timeoutMs = readTimeout(headers, defaultTimeoutMs, violations);
    const requested = batchHeight({ headers, height, paths }, table, violations);
    if (violations.length > 0) return send(reply, errorAnswer(badRequest(violations)), {}, replyBytes);
    const shared: HeaderPairs = headers.filter(([name]) => !BATCH_HEADERS.test(name));

    const answerPath = async (url: string, at: string | undefined, leftMs: number): Promise<Answer> => {
      const match = table.transcoder.match('GET', url);
      const noted = (answer: Answer): Answer => {
        record(request, answer, match.kind === 'found' ? match.route.rpcName : undefined);
        return answer;
      };
      if (match.kind !== 'found') return noted(answerMismatch(match, 'GET', url, table));
      if (match.route.rpc.methodKind === 'server_streaming') return noted(noStream());
      const timed: HeaderPairs = [...shared, [TIMEOUT_HEADER, `${Math.ceil(leftMs)}m`]];
      const pinned: HeaderPairs = at === undefined ? timed : [...timed, [HEIGHT_HEADER, at]];
      const parts = { ...match, headers: pinned, body: NO_BODY };
      const { plan } = request.apiKey ?? {};
      // The height was set by an earlier answer, which the plan allowed.
      const planned = plan === undefined || requested === at ? plan : { ...plan, heights: undefined };
      const call = { ...parts, callerAddress: request.ip, plan: planned };
      return gateway.answer(call, controller.signal, 'ndjson', noted);
    };
    const body = await answerBatch(paths, requested, answerPath, { ...RULES, timeoutMs, yieldFor, now: clock });
    return send(
      reply,
      { status: 200, contentType: JSON_TYPE, headers: new Map(), body, code: GRPC_CODES.ok },
      {},
      replyBytes,
    );
  });
}

/** The time of the whole batch. */
function readTimeout(headers: HeaderPairs, fallback: number, violations: Violation[]): number {
  const text = onlyHeader(headers, BAD_TIMEOUT.field, violations);
  const timeoutMs = text === undefined ? fallback : parseGrpcTimeout(text);
  if (timeoutMs === undefined) violations.push(BAD_TIMEOUT);
  return timeoutMs ?? fallback;
}

function noStream(): Answer {
  return errorAnswer({ code: GRPC_CODES.unimplemented, message: 'Streams are not served in a batch', details: [] });
}
