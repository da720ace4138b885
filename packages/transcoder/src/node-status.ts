import { findCodespaceError } from './codespaces.js';
import { GRPC_CODES, type GrpcCode, type RpcStatus, type StatusDetail } from './grpc-status.js';
import { toPlainMessage } from './plain-message.js';

/** A call that did not succeed, before it is put into words for a caller. */
export interface NodeOutcome {
  readonly code: GrpcCode;
  readonly message: string;
  readonly details: readonly StatusDetail[];
  /** The reply was larger than the gateway takes. */
  readonly tooLarge: boolean;
  /** The connection failed, rather than the node answering so. */
  readonly fromTransport: boolean;
}

/** Failures that say something about the path to the node; what lies on that path is not the caller's to know. */
const PATH_MESSAGES: Partial<Record<GrpcCode, string>> = {
  [GRPC_CODES.cancelled]: 'The request was cancelled',
  [GRPC_CODES.deadlineExceeded]: 'The chain node did not answer in time',
  [GRPC_CODES.unavailable]: 'The chain node is not available',
};

/** @param rpc full name of the method, `ixo.claims.v1beta1.Query/Claim` */
export function toRpcStatus(outcome: NodeOutcome, rpc: string): RpcStatus {
  const { code, details } = outcome;
  if (outcome.tooLarge)
    return { code: GRPC_CODES.internal, message: 'The reply of the chain node is too large', details: [] };
  if (code === GRPC_CODES.unimplemented) {
    return { code, message: `${rpc} is not available on this chain node`, details: [] };
  }
  const pathMessage = PATH_MESSAGES[code];
  if (pathMessage !== undefined) return { code, message: pathMessage, details };
  if (outcome.fromTransport) return { code, message: 'The answer of the chain node could not be read', details: [] };
  if (code === GRPC_CODES.unknown) {
    const known = findCodespaceError(outcome.message);
    if (known !== undefined) return withModuleError(known, details);
  }
  return { code, message: toPlainMessage(outcome.message), details };
}

function withModuleError(
  { error, text }: NonNullable<ReturnType<typeof findCodespaceError>>,
  details: readonly StatusDetail[],
): RpcStatus {
  const info: StatusDetail = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: error.reason,
    domain: error.codespace,
    metadata: { codespace: error.codespace, code: String(error.code) },
  };
  const message = toPlainMessage(text);
  return { code: error.grpcCode, message: message === '' ? error.reason : message, details: [info, ...details] };
}
