import { printMetadata } from '@mlango/transcoder/metadata';
import { connectError } from './connect-error.js';
import { readConnectHeaders } from './connect-headers.js';
import { enveloped } from './enveloped.js';
import { writeEnvelope } from './envelopes.js';
import type { SpokenRequest, Tongue } from './tongue.js';

const END = 2;

/** Streams of messages. Source: the Connect protocol, Streaming. */
export function connectStream(request: SpokenRequest): Tongue {
  return enveloped(request, {
    types: { 'application/connect+proto': 'proto', 'application/connect+json': 'json' },
    anyType: 'application/connect+proto',
    carries: (kind) => kind === 'server_streaming',
    readTimeout: () => readConnectHeaders(request).timeoutMs,
    packingHeader: 'connect-content-encoding',
    acceptHeader: 'connect-accept-encoding',
    unwrap: (body) => body,
    wrap: (bytes) => bytes,
    end(status, trailers) {
      const error = status === undefined ? {} : { error: connectError(status) };
      const metadata = Object.fromEntries(printMetadata('', trailers));
      return writeEnvelope(END, Buffer.from(JSON.stringify({ ...error, metadata })));
    },
  });
}
