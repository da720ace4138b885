import { ServiceError } from '@mlango/service-kit/errors';
import { GRPC_CODES, type RpcStatus } from '@mlango/transcoder/grpc-status';
import { BAD_TIMEOUT, parseGrpcTimeout, TIMEOUT_HEADER } from '@mlango/transcoder/grpc-timeout';
import { printMetadata } from '@mlango/transcoder/metadata';
import { STATUS_DETAILS_HEADER } from '@mlango/transcoder/status-details';
import { envelopeProtocol, writeEnvelope } from './envelope.js';
import { encodeStatus } from './error-details.js';
import type { ProtocolRequest, RpcProtocol } from './protocol.js';

/** Flag of the envelope that carries the trailers. */
const TRAILERS = 0x80;

/** gRPC-Web for unary calls and streams, in binary or base64. Source: grpc/grpc, doc/PROTOCOL-WEB.md. */
export function grpcWeb(request: ProtocolRequest): RpcProtocol {
  const isBase64 = isText(request);
  const name = `application/grpc-web${isBase64 ? '-text' : ''}`;
  return envelopeProtocol(request, {
    types: { [name]: 'proto', [`${name}+proto`]: 'proto', [`${name}+json`]: 'json' },
    defaultType: `${name}+proto`,
    supports: () => true,
    readTimeout: () => readTimeout(request.headers[TIMEOUT_HEADER]),
    encodingHeader: 'grpc-encoding',
    acceptHeader: 'grpc-accept-encoding',
    decodeBody: (body) => (isBase64 ? readBase64(body) : body),
    encodeBody: (bytes) => (isBase64 ? Buffer.from(bytes.toString('base64')) : bytes),
    end(status, trailers) {
      const lines = status === undefined ? [`grpc-status: ${GRPC_CODES.ok}`] : statusLines(status);
      for (const [key, values] of printMetadata('', trailers))
        for (const value of values) lines.push(`${key}: ${value}`);
      return writeEnvelope(TRAILERS, Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
    },
  });
}

/** Whether bodies are base64 text. */
function isText({ headers }: ProtocolRequest): boolean {
  return /^application\/grpc-web-text/i.test(String(headers['content-type']));
}

/** @throws {ServiceError} `invalid_argument` for a malformed timeout */
function readTimeout(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined;
  const timeoutMs = typeof text === 'string' ? parseGrpcTimeout(text) : undefined;
  if (timeoutMs !== undefined) return timeoutMs;
  throw new ServiceError('invalid_argument', `${BAD_TIMEOUT.field} ${BAD_TIMEOUT.description}`);
}

/** A request has one message, so clients need few pieces. */
const MAX_PIECES = 100;

/** Base64 in one piece or in several, each with its own padding. */
function readBase64(body: Uint8Array): Buffer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const pieces = text.split(/(?<==)(?!=)/, MAX_PIECES + 1);
  if (pieces.length > MAX_PIECES) {
    throw new ServiceError('invalid_argument', 'The body is base64 in too many pieces');
  }
  if (/[^A-Za-z0-9+/=]/.test(text)) throw new ServiceError('invalid_argument', 'The body is not base64');
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
}

/** The trailers of a failed call. */
function statusLines(status: RpcStatus): string[] {
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
