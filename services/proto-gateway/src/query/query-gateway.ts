import { HEIGHT_HEADER, replyHeaders } from '@mlango/cosmos-rest/heights';
import { linkToNextPage, type NextPageQuery, nextPageQuery } from '@mlango/cosmos-rest/next-page';
import type { CancelSignal, Reply } from '@mlango/grpc-channel';
import { addressKey } from '@mlango/service-kit/async';
import type { ReplyWriter } from '@mlango/transcoder';
import { badRequest } from '@mlango/transcoder/bad-request';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import { rawReader } from '@mlango/transcoder/http-body';
import { refusesHeight, refusesMethod } from '../access/key-plan.js';
import { bodyMemo, type WrittenBody, writeBody } from '../cache/body-memo.js';
import { type QueryCacheOptions, queryCache } from '../cache/query-cache.js';
import type { ResponseCache } from '../cache/response.js';
import { isQuery, type Route, txKindOf } from '../catalog/routes.js';
import { type ChainNode, type NodeCall, requestedHeight } from '../nodes/chain-node.js';
import { type Answer, errorAnswer, JSON_TYPE, rawAnswer, withHeaders } from './answer.js';
import { type DescribeStatus, describeFailure, retryHeaders } from './describe-failure.js';
import { type MatchedRequest, type PreparedCall, type ReadRules, readCall } from './read-call.js';
import { answerStream, type StreamForm } from './stream.js';
import { describeIgnored, withReplaced } from './warnings.js';
import { viewOf, type Watched, watchedCall, whyNotWatched } from './watched-call.js';
import type { YieldForBytes } from './yield-to-event-loop.js';

export interface QueryGatewayOptions extends ReadRules, QueryCacheOptions {
  /** How long a stream may bring nothing, in ms. */
  readonly streamIdleMs: number;
  readonly yieldFor: YieldForBytes;
}

export interface QueryGateway {
  /**
   * Answers a matched request, and tells the answer as soon as it is worded, so that its body is sent before the next one is made. Whatever
   * goes wrong is an answer, too; it rejects with what `tell` throws alone.
   */
  answer<Told>(
    request: MatchedRequest,
    signal: CancelSignal,
    streamForm: StreamForm,
    tell: (answer: Answer) => Told | Promise<Told>,
  ): Promise<Told>;
  /** The node as queries reach it: calls are shared, and replies kept. */
  readonly queries: ChainNode;
  /** The answer to an equal request before, while it is kept: there is nothing to wait for then. */
  recall: ResponseCache['find'];
  /** A matched request as it can be watched, or why it cannot. */
  watched(request: MatchedRequest): Watched | { readonly status: RpcStatus };
}

interface Prepared {
  readonly call: PreparedCall;
  /** Writes the bytes of a reply. */
  readonly write: ReplyWriter;
  readonly word: DescribeStatus;
  /** Headers of the answer. */
  readonly warning: Readonly<Record<string, string>>;
}

/** Reads a request, asks the node and words its reply. */
export function createQueryGateway(options: QueryGatewayOptions): QueryGateway {
  const { transcoder } = options;
  const { queries, kept, isShared } = queryCache(options);
  const turnOf = nextPageByRoute();
  const writeOnce = bodyMemo(isShared);
  // What is kept is kept as it was written, and counted so.
  const bodyOf: typeof writeOnce =
    options.cache === undefined ? writeOnce : (reply, _, __, write) => writeBody(write, reply.message);

  /** What is to be asked, or why it is not. */
  function prepare(request: MatchedRequest): Prepared | { readonly status: RpcStatus } {
    const { route } = request;
    const refusal = notServed(route) ?? refusesMethod(request.plan, route.rpcName);
    if (refusal !== undefined) return { status: refusal };
    const call = readCall(request, options);
    if ('violations' in call) return { status: badRequest(call.violations) };
    const tooFar = refusesHeight(request.plan, call.metadata);
    if (tooFar !== undefined) return { status: tooFar };
    const { profile } = call.options;
    const word: DescribeStatus = (code, message, details) => transcoder.failure(code, message, details, profile);
    return { call, write: transcoder.writer(route, call.options), word, warning: describeIgnored(call) };
  }

  return {
    queries,
    recall: (request) => kept?.find(request),
    async answer(request, signal, streamForm, tell) {
      const { route } = request;
      const prepared = prepare(request);
      if ('status' in prepared) return tell(errorAnswer(prepared.status));
      const { call, write, word, warning } = prepared;
      const { request: message, metadata, timeoutMs, atLeast } = call;
      const address = addressKey(request.callerAddress);
      const nodeCall: NodeCall = {
        path: route.rpcPath,
        request: message,
        metadata,
        timeoutMs,
        atLeast,
        address,
        signal,
      };
      if (route.rpc.methodKind === 'server_streaming') {
        return tell(withHeaders(await answerStream(options, route, nodeCall, write, streamForm, word), warning));
      }
      let answer: Answer;
      try {
        const isShared = isQuery(route);
        const reply = await (isShared ? queries.call(nodeCall) : options.node.call({ ...nodeCall, isOnce: true }));
        const wait = options.yieldFor(reply.message.length);
        if (wait !== undefined) await wait;
        const link = linkToNextPage(turnOf(route), request, reply.message);
        const written = () => (isShared ? bodyOf(reply, route, call.options, write) : writeBody(write, reply.message));
        answer = answerReply(reply, route, written, link === undefined ? warning : { ...warning, link });
        if (isShared && kept !== undefined) answer = kept.finish(answer, reply, request, nodeCall);
      } catch (failure) {
        const { status, metadata } = describeFailure(failure, route.rpcName, word);
        answer = { ...errorAnswer(status, metadata, { ...warning, ...retryHeaders(failure) }), failure };
      }
      return tell(answer);
    },
    watched(request) {
      const prepared = prepare(request);
      if ('status' in prepared) return prepared;
      const { call, write, word, warning } = prepared;
      const { route } = request;
      const pinned = requestedHeight(call.metadata) !== undefined || call.atLeast !== undefined;
      const problem = whyNotWatched(route, pinned);
      if (problem !== undefined) return { status: badRequest([problem]) };
      const view = {
        key: viewOf(request.rawQuery),
        write,
        describe: (failure: unknown) => describeFailure(failure, route.rpcName, word).status,
      };
      return { query: watchedCall(queries, { ...call, path: route.rpcPath }, view), warning };
    },
  };
}

function answerReply(
  reply: Reply,
  route: Route,
  write: () => WrittenBody,
  more: Readonly<Record<string, string>>,
): Answer {
  const { trailers } = reply;
  const late = trailers.filter(([name]) => name === HEIGHT_HEADER);
  const headers = replyHeaders(late.length === 0 ? reply.headers : [...reply.headers, ...late]);
  const raw = rawReader(route)?.(reply.message);
  const written = raw === undefined ? write() : undefined;
  const own = written?.hasReplaced === true ? withReplaced(more) : more;
  for (const name in own) headers.set(name, [own[name] ?? '']);
  if (raw !== undefined) return { ...rawAnswer(raw, headers), trailers, body: Buffer.from(raw.data) };
  const body = written?.body ?? '';
  return { status: 200, contentType: JSON_TYPE, headers, trailers, body, code: GRPC_CODES.ok };
}

function nextPageByRoute(): (route: Route) => NextPageQuery | undefined {
  const known = new Map<Route, NextPageQuery | undefined>();
  return (route) => {
    if (!known.has(route)) {
      known.set(route, route.method === 'GET' ? nextPageQuery(route.rpc.input, route.rpc.output) : undefined);
    }
    return known.get(route);
  };
}

/** Why a method that has a route is not served here; `undefined` for one that is. */
export function notServed({ rpcName, isDisabled, isMissing }: Route): RpcStatus | undefined {
  if (!isDisabled && !isMissing) return undefined;
  const tx = isDisabled ? txKindOf(rpcName) : undefined;
  const closed = `is not open on this gateway: it reads, and its operator has not let it ${tx} transactions`;
  const disabled = tx === undefined ? 'is disabled on this gateway' : closed;
  const why = isDisabled ? disabled : 'is not available on this chain node';
  return { code: GRPC_CODES.unimplemented, message: `${rpcName} ${why}`, details: [] };
}
