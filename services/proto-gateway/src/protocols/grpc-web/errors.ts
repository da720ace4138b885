import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import { STATUS_DETAILS_HEADER } from '@mlango/transcoder/status-details';
import { encodeStatus } from '../error-details.js';

/** The trailers of a failed call. */
export function statusLines(status: RpcStatus): string[] {
  const lines = [`grpc-status: ${status.code}`, `grpc-message: ${percentEncode(status.message)}`];
  if (status.details.length === 0) return lines;
  return [...lines, `${STATUS_DETAILS_HEADER}: ${Buffer.from(encodeStatus(status)).toString('base64')}`];
}

/** Source: the gRPC protocol over HTTP/2, Status-Message. */
function percentEncode(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/g, (found) => {
    return [...Buffer.from(found)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
  });
}
