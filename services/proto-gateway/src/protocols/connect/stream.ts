import { printMetadata } from '@mlango/transcoder/metadata';
import { envelopeProtocol, writeEnvelope } from '../envelope.js';
import type { ProtocolRequest, RpcProtocol } from '../protocol.js';
import { connectError } from './errors.js';
import { readConnectHeaders } from './request.js';

const END = 2;

/** Streams of messages. Source: the Connect protocol, Streaming. */
export function connectStream(request: ProtocolRequest): RpcProtocol {
  return envelopeProtocol(request, {
    types: { 'application/connect+proto': 'proto', 'application/connect+json': 'json' },
    defaultType: 'application/connect+proto',
    supports: (kind) => kind === 'server_streaming',
    readTimeout: () => readConnectHeaders(request).timeoutMs,
    encodingHeader: 'connect-content-encoding',
    acceptHeader: 'connect-accept-encoding',
    decodeBody: (body) => body,
    encodeBody: (bytes) => bytes,
    end(status, trailers) {
      const error = status === undefined ? {} : { error: connectError(status) };
      const metadata = Object.fromEntries(printMetadata('', trailers));
      return writeEnvelope(END, Buffer.from(JSON.stringify({ ...error, metadata })));
    },
  });
}
