import { HEIGHT_HEADER, replyHeaders } from '@mlango/cosmos-rest/heights';
import { linkToNextPage, type NextPageQuery, nextPageQuery } from '@mlango/cosmos-rest/next-page';
import type { CancelSignal } from '@mlango/grpc-channel';
import { addressKey } from '@mlango/service-kit/shared-pools';
import type { ReplyWriter } from '@mlango/transcoder';
import { badRequest } from '@mlango/transcoder/bad-request';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import { rawReader } from '@mlango/transcoder/http-body';
import { refusesHeight, refusesMethod } from '../access/key-plan.js';
import { type Answer, errorAnswer, JSON_TYPE, rawAnswer, withHeaders } from '../answers/answer.js';
import { describeIgnored, nodeHeader, withReplaced } from '../answers/answer-headers.js';
import { type DescribeStatus, describeFailure, retryHeaders } from '../answers/describe-failure.js';
import { writeBody, writeOnce } from '../cache/body-memo.js';
import { type QueryCacheOptions, queryCache } from '../cache/query-cache.js';
import type { ResponseCache } from '../cache/response.js';
import { isQuery, type Route, txKindOf } from '../catalog/routes.js';
import {
  type ChainNode,
  type NodeCall,
  type NodeReply,
  requestedHeight,
  type WrittenBody,
} from '../nodes/chain-node.js';
import { type MatchedRequest, type PreparedCall, type ReadRules, readCall } from './read-call.js';
import { answerStream, type StreamForm } from './stream.js';
import { viewOf, type Watched, watchedCall, whyNotWatched } from './watched-call.js';
import type { YieldForBytes } from './yield-to-event-loop.js';

export interface QueryGatewayOptions extends ReadRules, QueryCacheOptions {
  /** Idle limit of a stream, in ms. */
  readonly streamIdleMs: number;
  readonly yieldFor: YieldForBytes;
}

export interface QueryGateway {
  /**
   * Answers a matched request. `onAnswer` is called as soon as the answer is written, so that its body is sent before the next one is
   * written. Failures are answers; only an error of `onAnswer` rejects.
   */
  answer<Result>(
    request: MatchedRequest,
    signal: CancelSignal,
    streamForm: StreamForm,
    onAnswer: (answer: Answer) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The node, called through the caches. */
  readonly queries: ChainNode;
  /** A cached answer, without waiting. */
  findCached: ResponseCache['find'];
  /** A matched request as a query to watch, or why it cannot be watched. */
  watched(request: MatchedRequest): Watched | { readonly status: RpcStatus };
}

interface Prepared {
  readonly call: PreparedCall;
  /** Writes a reply as JSON. */
  readonly write: ReplyWriter;
  readonly describe: DescribeStatus;
  /** Headers of the answer. */
  readonly warning: Readonly<Record<string, string>>;
}

/** Parses a request, calls the node and writes the answer. */
export function createQueryGateway(options: QueryGatewayOptions): QueryGateway {
  const { transcoder } = options;
  const { queries, responses } = queryCache(options);
  const nextPageOf = nextPageByRoute();

  /** The call for a request, or the answer that refuses it. */
  function prepare(request: MatchedRequest): Prepared | { readonly status: RpcStatus } {
    const { route } = request;
    const refusal = notServed(route) ?? refusesMethod(request.plan, route.rpcName);
    if (refusal !== undefined) return { status: refusal };
    const call = readCall(request, options);
    if ('violations' in call) return { status: badRequest(call.violations) };
    const tooFar = refusesHeight(request.plan, call.metadata);
    if (tooFar !== undefined) return { status: tooFar };
    const { profile } = call.options;
    const describe: DescribeStatus = (code, message, details) => transcoder.failure(code, message, details, profile);
    return {
      call,
      write: transcoder.writer(route, call.options),
      describe,
      warning: describeIgnored(call.ignored, call.options),
    };
  }

  return {
    queries,
    findCached: (request) => responses?.find(request),
    async answer(request, signal, streamForm, onAnswer) {
      const { route } = request;
      const prepared = prepare(request);
      if ('status' in prepared) return onAnswer(errorAnswer(prepared.status));
      const { call, write, describe, warning } = prepared;
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
        return onAnswer(
          withHeaders(await answerStream(options, route, nodeCall, write, streamForm, describe), warning),
        );
      }
      let answer: Answer;
      try {
        const isCacheable = isQuery(route);
        const reply = await (isCacheable
          ? queries.call(nodeCall)
          : options.node.call({ ...nodeCall, mustNotRetry: true }));
        const wait = options.yieldFor(reply.message.length);
        if (wait !== undefined) await wait;
        const link = linkToNextPage(nextPageOf(route), request, reply.message);
        const written = () =>
          isCacheable ? writeOnce(reply, route, call.options, write) : writeBody(write, reply.message);
        const more = { ...warning, ...(link === undefined ? {} : { link }), ...nodeHeader(reply, options.exposeNode) };
        answer = answerReply(reply, route, written, more);
        if (isCacheable && responses !== undefined) answer = responses.finish(answer, reply, request, nodeCall);
      } catch (failure) {
        const { status, metadata } = describeFailure(failure, route.rpcName, describe);
        answer = { ...errorAnswer(status, metadata, { ...warning, ...retryHeaders(failure) }), failure };
      }
      return onAnswer(answer);
    },
    watched(request) {
      const prepared = prepare(request);
      if ('status' in prepared) return prepared;
      const { call, write, describe, warning } = prepared;
      const { route } = request;
      const pinned = requestedHeight(call.metadata) !== undefined || call.atLeast !== undefined;
      const problem = whyNotWatched(route, pinned);
      if (problem !== undefined) return { status: badRequest([problem]) };
      const view = {
        key: viewOf(request.rawQuery),
        write,
        describe: (failure: unknown) => describeFailure(failure, route.rpcName, describe).status,
      };
      return { query: watchedCall(queries, { ...call, path: route.rpcPath }, view), warning };
    },
  };
}

function answerReply(
  reply: NodeReply,
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

/** Why a method with a route is not served; `undefined` if it is. */
export function notServed({ rpcName, isDisabled, isMissing }: Route): RpcStatus | undefined {
  if (!isDisabled && !isMissing) return undefined;
  const tx = isDisabled ? txKindOf(rpcName) : undefined;
  const closed = `is disabled: this gateway does not ${tx} transactions (PROTO_ALLOW_TX)`;
  const disabled = tx === undefined ? 'is disabled on this gateway' : closed;
  const why = isDisabled ? disabled : 'is not available on this chain node';
  return { code: GRPC_CODES.unimplemented, message: `${rpcName} ${why}`, details: [] };
}
