import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { rpcError } from '@mlango/schemas/proto-gateway';
import { afterEach, describe, expect, it } from 'vitest';
import { channelOver, testApp } from '../../test/support/test-app.js';
import { CHANNELS, type ChannelKind } from './targets.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server of HTTP/2 with a scripted response. */
function http2(respond: (stream: ServerHttp2Stream) => void): Server {
  const server = createHttp2Server();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    respond(stream);
  });
  return server;
}

const grpcHeaders = { ':status': 200, 'content-type': 'application/grpc+proto' };
/** A message frame: no compression, the length, the bytes. */
const frame = (length: number, bytes: number[]) => Buffer.from([0, 0, 0, 0, length, ...bytes]);

/** Sends bytes, then the status of success, unless the caller has closed the stream. */
function replyOk(stream: ServerHttp2Stream, bytes: Buffer): void {
  stream.respond(grpcHeaders, { waitForTrailers: true });
  stream.on('wantTrailers', () => {
    if (!stream.destroyed && !stream.closed) stream.sendTrailers({ 'grpc-status': '0' });
  });
  stream.end(bytes);
}

/** For a node that never answers. */
const SHORT = '200m';

/** The answer of the gateway for a node that is no gRPC server. */
async function answerFrom(channel: ChannelKind, server: Server, timeout = '15S') {
  const app = await testApp(channelOver(channel, await listen(server)));
  try {
    const reply = await app.inject({ url: '/proto/token/params', headers: { 'grpc-timeout': timeout } });
    const error = rpcError.parse(reply.json());
    expect(reply.body).not.toMatch(/127\.0\.0\.1|ECONN|RST|HTTP|\bat .*[.:][0-9]+/);
    return [reply.statusCode, error.code];
  } finally {
    await app.close();
  }
}

describe.each(CHANNELS)('over the %s channel, a node that', (channel) => {
  const answerOver = (server: Server, timeout?: string) => answerFrom(channel, server, timeout);

  it('accepts and stays silent is 504 at the deadline', async () => {
    expect(await answerOver(createServer(), SHORT)).toEqual([504, 4]);
  });

  it('answers no call is 504 at the deadline', async () => {
    expect(
      await answerOver(
        http2(() => {}),
        SHORT,
      ),
    ).toEqual([504, 4]);
  });

  it('hangs up at once is 503', async () => {
    expect(await answerOver(createServer((socket) => socket.destroy()))).toEqual([503, 14]);
  });

  it('answers in HTTP/1.1 is reported as no node', async () => {
    const [status] = await answerOver(createHttpServer((_request, response) => response.end('hello')));
    expect([500, 503, 504]).toContain(status);
  });

  it('answers in an unknown protocol is reported as no node', async () => {
    const [status] = await answerOver(createServer((socket) => socket.write('garbage\r\n\r\n'.repeat(10))));
    expect([500, 503, 504]).toContain(status);
  });

  it('responds like a web server is reported with its HTTP status', async () => {
    const web = http2((stream) => {
      stream.respond({ ':status': 502, 'content-type': 'text/html' });
      stream.end('<h1>Bad Gateway</h1>');
    });
    expect(await answerOver(web)).toEqual([503, 14]);
  });

  it('ends a call without a status is 500', async () => {
    const silent = http2((stream) => {
      stream.respond(grpcHeaders);
      stream.end(frame(0, []));
    });
    const [status] = await answerOver(silent);
    expect(status).toBe(500);
  });

  it('cuts a message short is 500', async () => {
    const cut = http2((stream) => replyOk(stream, frame(100, [1, 2, 3])));
    const [status] = await answerOver(cut);
    expect(status).toBe(500);
  });

  it('sends bytes that are no message is 500 with code 13', async () => {
    const garbage = http2((stream) => replyOk(stream, frame(2, [0x0a, 0xff])));
    expect(await answerOver(garbage)).toEqual([500, 13]);
  });

  it('announces a message beyond the limit is 500, and the message is not waited for', async () => {
    const huge = http2((stream) => {
      stream.respond(grpcHeaders);
      stream.write(Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 1]));
    });
    expect(await answerOver(huge)).toEqual([500, 13]);
  });

  it('resets a call in the middle is an error of the node', async () => {
    const resetting = http2((stream) => {
      stream.respond(grpcHeaders);
      stream.write(frame(100, [1]), () => stream.close(2));
    });
    expect(await answerOver(resetting)).toEqual([500, 13]);
  });

  it('sends a status gRPC does not have is unknown', async () => {
    const odd = http2((stream) =>
      stream.respond({ ...grpcHeaders, 'grpc-status': '99', 'grpc-message': 'odd' }, { endStream: true }),
    );
    expect(await answerOver(odd)).toEqual([500, 2]);
  });
});
