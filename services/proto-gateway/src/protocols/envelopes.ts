import { ServiceError } from '@mlango/service-kit/errors';

/** A message in a stream: a byte of flags, four of its length, itself. Source: the gRPC protocol over HTTP/2. */
export interface Envelope {
  readonly flags: number;
  readonly bytes: Uint8Array;
}

const HEAD_BYTES = 5;
export const COMPRESSED = 1;

export function writeEnvelope(flags: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * The one envelope of a request.
 *
 * @throws {ServiceError} `invalid_argument` for one that is cut short, `unimplemented` for none or several
 */
export function readEnvelope(body: Uint8Array): Envelope {
  if (body.length === 0) throw new ServiceError('unimplemented', 'A request has one message; this one has none');
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const end = view.length < HEAD_BYTES ? Number.POSITIVE_INFINITY : HEAD_BYTES + view.readUInt32BE(1);
  if (end > view.length) throw new ServiceError('invalid_argument', 'The message is shorter than it says');
  if (end < view.length) throw new ServiceError('unimplemented', 'A request has one message; more follows here');
  return { flags: view.readUInt8(0), bytes: view.subarray(HEAD_BYTES) };
}
