import { Metadata } from '@grpc/grpc-js';
import { Any } from '@mlango/proto/google/protobuf/any';
import { BadRequest, ErrorInfo } from '@mlango/proto/google/rpc/error_details';
import { Status } from '@mlango/proto/google/rpc/status';

const DETAILS_KEY = 'grpc-status-details-bin';

/** Trailers with a full status: a reason, a fault of a field, and a detail of an unknown type. */
export function detailsTrailer(code: number, message: string): Metadata {
  const details = [
    packed(
      'google.rpc.ErrorInfo',
      ErrorInfo.encode({ reason: 'FORCED', domain: 'mock-node', metadata: { code: String(code) } }),
    ),
    packed(
      'google.rpc.BadRequest',
      BadRequest.encode({ field_violations: [{ field: 'id', description: 'asks for this error' }] }),
    ),
    Any.create({ type_url: 'type.googleapis.com/mlango.unknown.Detail', value: Buffer.from([8, 1]) }),
  ];
  const trailer = new Metadata();
  trailer.set(DETAILS_KEY, Buffer.from(Status.encode({ code, message, details }).finish()));
  return trailer;
}

function packed(type: string, writer: { finish(): Uint8Array }): Any {
  return Any.create({ type_url: `type.googleapis.com/${type}`, value: Buffer.from(writer.finish()) });
}
