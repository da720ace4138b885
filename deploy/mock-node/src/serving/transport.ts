import type { ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';

/**
 * The HTTP/2 stream under a call. The gRPC library has no public way to break a stream, which tests of clients need, so this
 * function alone reads its private fields.
 */
export function streamOf(call: object): ServerHttp2Stream {
  let inner: unknown = call;
  for (const field of ['call', 'nextCall', 'stream']) {
    const next: unknown = typeof inner === 'object' && inner !== null ? Reflect.get(inner, field) : undefined;
    if (next !== undefined) inner = next;
  }
  if (!isStream(inner)) throw new Error('the gRPC library keeps its HTTP/2 stream elsewhere now');
  return inner;
}

/** Sends the beginning of a message and then resets the stream; other calls on the connection continue. */
export function breakStream(stream: ServerHttp2Stream): void {
  const prefix = Buffer.from([0, 0, 0, 0, 100]);
  stream.write(Buffer.concat([prefix, Buffer.alloc(10)]), () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
}

/** Cuts the connection under the stream, and all other calls on it. */
export function breakTransport(stream: ServerHttp2Stream): void {
  const socket = stream.session?.socket;
  // A reset of the connection itself is preferred; under TLS the socket is inaccessible, so the session is destroyed.
  if (socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else stream.session?.destroy();
}

/** Makes the client open another connection; calls under way are still answered. */
export function sendGoaway(stream: ServerHttp2Stream): void {
  stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
}

function isStream(value: unknown): value is ServerHttp2Stream {
  return typeof value === 'object' && value !== null && 'respond' in value && 'session' in value && 'close' in value;
}
