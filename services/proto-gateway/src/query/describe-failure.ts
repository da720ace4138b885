import { LaterFailure, NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES, type GrpcCode, type RpcStatus } from '@mlango/transcoder/grpc-status';
import type { Metadata } from '@mlango/transcoder/metadata';
import { STATUS_DETAILS_HEADER } from '@mlango/transcoder/status-details';
import { toRpcStatus } from './node-status.js';

/** Words what a node said. @param details those of a google.rpc.Status in bytes; none where there are none */
export type WordFailure = (code: GrpcCode, message: string, details: Uint8Array) => RpcStatus;

const NO_DETAILS = new Uint8Array();

/** Words a failed call for the caller. Anything but a `NodeFailure` means that the reply was not what it should be. */
export function describeFailure(
  failure: unknown,
  rpcName: string,
  word: WordFailure,
): { status: RpcStatus; metadata: Metadata } {
  if (!(failure instanceof NodeFailure)) {
    const message = 'The answer of the chain node could not be read';
    return { status: { code: GRPC_CODES.internal, message, details: [] }, metadata: [] };
  }
  const { code, message, metadata } = failure;
  if (failure instanceof LaterFailure) return { status: { code, message, details: [] }, metadata: [] };
  const details = metadata.find(([name]) => name === STATUS_DETAILS_HEADER)?.[1];
  const said = () => word(code, message, details instanceof Uint8Array ? details : NO_DETAILS);
  return { status: toRpcStatus(failure, rpcName, said), metadata };
}
