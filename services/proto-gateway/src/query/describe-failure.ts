import type { FileRegistry } from '@bufbuild/protobuf';
import { LaterFailure, NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES, type RpcStatus, type StatusDetail } from '@mlango/transcoder/grpc-status';
import type { JsonWriters } from '@mlango/transcoder/json-writer';
import type { Metadata } from '@mlango/transcoder/metadata';
import { toRpcStatus } from '@mlango/transcoder/node-status';
import { readStatusDetails, STATUS_DETAILS_HEADER } from '@mlango/transcoder/status-details';

/** Reads the details of a google.rpc.Status in bytes. */
export type ReadDetails = (status: Uint8Array) => readonly StatusDetail[];

/** Details as JSON objects. */
export function jsonDetails(writers: JsonWriters, registry: FileRegistry): ReadDetails {
  return (status) => readStatusDetails(status, writers, registry);
}

/** Words a failed call for the caller. Anything but a `NodeFailure` means that the reply was not what it should be. */
export function describeFailure(
  failure: unknown,
  rpcName: string,
  readDetails: ReadDetails,
): { status: RpcStatus; metadata: Metadata } {
  if (!(failure instanceof NodeFailure)) {
    const message = 'The answer of the chain node could not be read';
    return { status: { code: GRPC_CODES.internal, message, details: [] }, metadata: [] };
  }
  if (failure instanceof LaterFailure) {
    return { status: { code: failure.code, message: failure.message, details: [] }, metadata: [] };
  }
  const bytes = failure.metadata.find(([name]) => name === STATUS_DETAILS_HEADER)?.[1];
  const details = bytes instanceof Uint8Array ? readDetails(bytes) : [];
  return { status: toRpcStatus({ ...pick(failure), details }, rpcName), metadata: failure.metadata };
}

function pick({ code, message, tooLarge, fromTransport }: NodeFailure) {
  return { code, message, tooLarge, fromTransport };
}
