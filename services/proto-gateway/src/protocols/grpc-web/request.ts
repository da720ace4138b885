import { ServiceError } from '@mlango/service-kit/errors';
import { BAD_TIMEOUT, parseGrpcTimeout } from '@mlango/transcoder/grpc-timeout';
import type { ProtocolRequest } from '../protocol.js';

/** Whether bodies are base64 text. */
export function isText({ headers }: ProtocolRequest): boolean {
  return /^application\/grpc-web-text/i.test(String(headers['content-type']));
}

/** @throws {ServiceError} `invalid_argument` for a malformed timeout */
export function readTimeout(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeoutMs = typeof text === 'string' ? parseGrpcTimeout(text) : undefined;
  if (timeoutMs !== undefined) return timeoutMs;
  throw new ServiceError('invalid_argument', `${BAD_TIMEOUT.field} ${BAD_TIMEOUT.description}`);
}

/** A request has one message, so clients need few pieces. */
const MAX_PIECES = 100;

/** Base64 in one piece or in several, each with its own padding. */
export function readBase64(body: Uint8Array): Buffer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const pieces = text.split(/(?<==)(?!=)/, MAX_PIECES + 1);
  if (pieces.length > MAX_PIECES) {
    throw new ServiceError('invalid_argument', 'The body is base64 in too many pieces');
  }
  if (/[^A-Za-z0-9+/=]/.test(text)) throw new ServiceError('invalid_argument', 'The body is not base64');
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
}
