import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { TIMEOUT_HEADER } from '@mlango/transcoder/grpc-timeout';
import { printMetadata } from '@mlango/transcoder/metadata';
import { envelopeProtocol, writeEnvelope } from '../envelope.js';
import type { ProtocolRequest, RpcProtocol } from '../protocol.js';
import { statusLines } from './errors.js';
import { isText, readBase64, readTimeout } from './request.js';

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
