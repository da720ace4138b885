/**
 * A gRPC node as a process of its own, so that it can be frozen. `node-program.fixture.ts <kind>` with the kind `grpc-js` or `http2`
 * serves, on a free port, `/test.Chaos/Echo` (the request, after a moment), `/test.Chaos/Flood` (large messages without end)
 * and health checks. SIGUSR2 starts a storm of GOAWAY (kind `http2`), and ends it the second time.
 */
import {
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { byteMethod } from '@mlango/test-services/byte-method';

/** Longer than the pause between two calls of a test, so that calls overlap. */
const ECHO_MS = 300;
const FLOOD_BYTES = 64 * 1024;
const STORM_EVERY_MS = 150;
const SERVING = Buffer.from([8, 1]);

const [kind, maxConnectionAgeMs] = process.argv.slice(2);

function listening(port: number): void {
  process.stdout.write(`listens on 127.0.0.1:${port}\n`);
}

async function serveGrpcJs(): Promise<void> {
  const server = new Server(
    maxConnectionAgeMs === undefined
      ? {}
      : { 'grpc.max_connection_age_ms': Number(maxConnectionAgeMs), 'grpc.max_connection_age_grace_ms': 5000 },
  );
  type Done = (error: null, reply: Buffer) => void;
  server.addService(
    { Echo: byteMethod('/test.Chaos/Echo'), Flood: byteMethod('/test.Chaos/Flood', { responseStream: true }) },
    {
      Echo: ({ request }: { request: Buffer }, done: Done) => void setTimeout(() => done(null, request), ECHO_MS),
      Flood: (call: ServerWritableStream<Buffer, Buffer>) => {
        const flood = (): void => {
          while (!call.cancelled && call.write(Buffer.alloc(FLOOD_BYTES)));
        };
        call.on('drain', flood);
        flood();
      },
    },
  );
  server.addService(
    { Check: byteMethod('/grpc.health.v1.Health/Check') },
    { Check: (_call: unknown, done: Done) => done(null, SERVING) },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  listening(port);
}

function message(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function answerHttp2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders & { ':path'?: string }): void {
  const request: Buffer[] = [];
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => request.push(chunk));
  stream.on('end', () => {
    const isHealth = headers[':path'] === '/grpc.health.v1.Health/Check';
    const reply = isHealth ? message(SERVING) : Buffer.concat(request);
    setTimeout(
      () => {
        if (stream.destroyed) return;
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end(reply);
      },
      isHealth ? 0 : ECHO_MS,
    );
  });
}

function serveHttp2(): void {
  const server = createServer();
  const sessions = new Set<Http2Session>();
  let storm: NodeJS.Timeout | undefined;
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', answerHttp2);
  process.on('SIGUSR2', () => {
    if (storm === undefined) {
      storm = setInterval(() => {
        for (const session of sessions) session.close();
      }, STORM_EVERY_MS);
    } else clearInterval(storm);
  });
  server.listen(0, '127.0.0.1', () => listening((server.address() as AddressInfo).port));
}

if (kind === 'grpc-js') await serveGrpcJs();
else serveHttp2();
