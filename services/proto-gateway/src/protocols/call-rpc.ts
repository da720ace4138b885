import type { CancelSignal } from '@mlango/grpc-channel';
import { addressKey } from '@mlango/service-kit/shared-pools';
import type { Transcoder } from '@mlango/transcoder';
import { badRequest } from '@mlango/transcoder/bad-request';
import { LONGEST_TIMEOUT_MS } from '@mlango/transcoder/grpc-timeout';
import { PROTOBUF_PROFILE } from '@mlango/transcoder/json-profile';
import type { Caller, HeaderPairs } from '@mlango/transcoder/metadata';
import { type KeyPlan, refusesHeight, refusesMethod, rulesOfPlan } from '../access/key-plan.js';
import { type Answer, bytesOf, withHeaders } from '../answers/answer.js';
import { withReplaced } from '../answers/answer-headers.js';
import { type DescribeStatus, describeFailure, retryHeaders } from '../answers/describe-failure.js';
import { isQuery, type Route } from '../catalog/routes.js';
import type { ChainNode } from '../nodes/chain-node.js';
import { readMinimum } from '../query/read-call.js';
import { beginStream, type StreamSource } from '../query/stream.js';
import type { YieldForBytes } from '../query/yield-to-event-loop.js';
import { readStatusDetails } from './error-details.js';
import { requestMetadata } from './metadata.js';
import type { RpcCall, RpcProtocol, WriteMessage } from './protocol.js';

export interface CallRpcOptions extends StreamSource {
  readonly transcoder: Transcoder<Route>;
  /** The node as queries reach it. */
  readonly queries: ChainNode;
  /** For unary calls without a deadline. */
  readonly defaultTimeoutMs: number;
  readonly yieldFor: YieldForBytes;
}

/** An rpc request. */
export interface RpcRequest {
  readonly route: Route;
  readonly call: RpcCall;
  readonly headers: HeaderPairs;
  readonly caller: Caller;
  /** The plan of the caller's key; undefined without limits. */
  readonly plan: KeyPlan | undefined;
}

/** Makes a call and encodes its outcome in the protocol. Never rejects. */
export type CallRpc = (protocol: RpcProtocol, request: RpcRequest, signal: CancelSignal) => Promise<Answer>;

export function createRpcCalls(options: CallRpcOptions): CallRpc {
  const { transcoder } = options;
  const describeStatus: DescribeStatus = (code, message, details) =>
    transcoder.failure(code, message, readStatusDetails(details));

  return async (protocol, { route, call, headers, caller, plan }, signal) => {
    const { rpc, rpcName } = route;
    const metadata = requestMetadata(headers, caller);
    const refusal = refusesMethod(plan, rpcName) ?? refusesHeight(plan, metadata);
    if (refusal !== undefined) return protocol.failure({ status: refusal, metadata: [] });
    const bound = transcoder.readMessage(rpc.input, call.codec, call.message, rulesOfPlan(plan));
    if ('violations' in bound) return protocol.failure({ status: badRequest(bound.violations), metadata: [] });
    const minimum = readMinimum(headers, metadata);
    if ('violations' in minimum) return protocol.failure({ status: badRequest(minimum.violations), metadata: [] });
    const isStream = rpc.methodKind === 'server_streaming';
    const nodeCall = {
      path: route.rpcPath,
      request: bound.bytes,
      metadata,
      timeoutMs: call.timeoutMs ?? (isStream ? LONGEST_TIMEOUT_MS : options.defaultTimeoutMs),
      ...minimum,
      address: addressKey(caller.address),
      signal,
    };
    const writeJson = transcoder.json(rpc.output, PROTOBUF_PROFILE);
    let hasReplaced = false;
    const write: WriteMessage = (bytes) => {
      if (call.codec === 'proto') return bytes;
      const body = bytesOf(writeJson.body(bytes));
      hasReplaced ||= writeJson.hasReplaced();
      return body;
    };
    const describe = (failure: unknown) => describeFailure(failure, rpcName, describeStatus);
    try {
      if (isStream) return protocol.stream(await beginStream(options, nodeCall), write, describe);
      const { queries, node } = options;
      const reply = await (isQuery(route) ? queries.call(nodeCall) : node.call({ ...nodeCall, mustNotRetry: true }));
      const wait = options.yieldFor(reply.message.length);
      if (wait !== undefined) await wait;
      const answer = await protocol.reply(reply, write);
      return hasReplaced ? withHeaders(answer, withReplaced({})) : answer;
    } catch (failure) {
      return { ...withHeaders(protocol.failure(describe(failure)), retryHeaders(failure)), failure };
    }
  };
}
