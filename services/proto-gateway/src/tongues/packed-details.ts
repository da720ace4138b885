import { Any } from '@mlango/proto/google/protobuf/any';
import { BadRequest, ErrorInfo } from '@mlango/proto/google/rpc/error_details';
import { Status } from '@mlango/proto/google/rpc/status';
import type { RpcStatus, StatusDetail } from '@mlango/transcoder/grpc-status';

/** The details of a google.rpc.Status as the node packed them; none where the bytes are no such message. */
export function readPackedDetails(status: Uint8Array): StatusDetail[] {
  try {
    return Status.decode(status).details.map(({ type_url, value }) => ({ '@type': type_url, value }));
  } catch {
    return [];
  }
}

/** Packs those details that the gateway itself words; the node's are packed. */
export function packDetails({ details }: RpcStatus): Any[] {
  return details.flatMap((detail) => {
    const value = detail['value'] instanceof Uint8Array ? detail['value'] : packOwn(detail);
    return value === undefined ? [] : [Any.create({ type_url: detail['@type'], value: Buffer.from(value) })];
  });
}

function packOwn(detail: StatusDetail): Uint8Array | undefined {
  switch (typeOfDetail(detail['@type'])) {
    case 'google.rpc.ErrorInfo':
      return ErrorInfo.encode(ErrorInfo.fromJSON(detail)).finish();
    case 'google.rpc.BadRequest':
      return BadRequest.encode(BadRequest.fromJSON(detail)).finish();
    default:
      return undefined;
  }
}

/** `type.googleapis.com/google.rpc.ErrorInfo` without its host. */
export function typeOfDetail(typeUrl: string): string {
  return typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
}

/** A google.rpc.Status in bytes. */
export function packStatus(status: RpcStatus): Uint8Array {
  return Status.encode({ code: status.code, message: status.message, details: packDetails(status) }).finish();
}
