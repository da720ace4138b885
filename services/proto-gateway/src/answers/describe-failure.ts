import { NodeFailure, RetryLaterError } from '@mlango/grpc-channel';
import { GRPC_CODES, type GrpcCode, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import { STATUS_DETAILS_HEADER } from '@mlango/transcoder/status-details';

/** Describes a node's failure. @param details an encoded google.rpc.Status; empty without details */
export type DescribeStatus = (code: GrpcCode, message: string, details: Uint8Array) => RpcStatus;

const NO_DETAILS = new Uint8Array();

/** Describes a failed call for the caller. An error other than `NodeFailure` means an invalid reply. */
export function describeFailure(
  failure: unknown,
  rpcName: string,
  describe: DescribeStatus,
): { status: RpcStatus; metadata: Metadata } {
  if (!(failure instanceof NodeFailure)) {
    const message = 'The answer of the chain node could not be read';
    return { status: { code: GRPC_CODES.internal, message, details: [] }, metadata: [] };
  }
  const { code, message, metadata } = failure;
  if (failure instanceof RetryLaterError) return { status: { code, message, details: [] }, metadata: [] };
  const details = metadata.find(([name]) => name === STATUS_DETAILS_HEADER)?.[1];
  const nodeStatus = () => describe(code, message, details instanceof Uint8Array ? details : NO_DETAILS);
  return { status: toRpcStatus(failure, rpcName, nodeStatus), metadata };
}

/** A failed call, before it is described for a caller. */
export interface NodeOutcome {
  readonly code: GrpcCode;
  /** The reply was larger than the gateway accepts. */
  readonly tooLarge: boolean;
  /** The connection failed, rather than the node answering so. */
  readonly fromTransport: boolean;
}

/** Failures on the path to the node; the path is not disclosed to callers. */
const PATH_MESSAGES: Partial<Record<GrpcCode, string>> = {
  [GRPC_CODES.cancelled]: 'The request was cancelled',
  [GRPC_CODES.deadlineExceeded]: 'The chain node did not answer in time',
  [GRPC_CODES.unavailable]: 'The chain node is not available',
};

/**
 * @param rpc full name of the method, `ixo.claims.v1beta1.Query/Claim`
 * @param nodeStatus the status that the node sent
 */
export function toRpcStatus(outcome: NodeOutcome, rpc: string, nodeStatus: () => RpcStatus): RpcStatus {
  const { code } = outcome;
  if (outcome.tooLarge)
    return { code: GRPC_CODES.internal, message: 'The reply of the chain node is too large', details: [] };
  if (code === GRPC_CODES.unimplemented) {
    return { code, message: `${rpc} is not available on this chain node`, details: [] };
  }
  const pathMessage = PATH_MESSAGES[code];
  if (pathMessage !== undefined) return { ...nodeStatus(), message: pathMessage };
  if (outcome.fromTransport) return { code, message: 'The answer of the chain node could not be read', details: [] };
  return nodeStatus();
}

/** `Retry-After` for failures that invite a retry; else none. */
export function retryHeaders(failure: unknown): Readonly<Record<string, string>> {
  return failure instanceof RetryLaterError ? { 'retry-after': '1' } : {};
}
