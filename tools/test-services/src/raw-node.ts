import {
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { byteMethod } from './byte-method.js';

/** A real gRPC server with plain bytes as messages; the method name selects its behaviour. */
export interface RawNode {
  readonly address: string;
  readonly port: number;
  /** Paths of the received calls. */
  readonly calls: readonly string[];
  /** How many calls were cancelled by the caller. */
  readonly cancelled: () => number;
  close(): Promise<void>;
}

type Unary = (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => void;
type Stream = (call: ServerWritableStream<Buffer, Buffer>) => void;

const UNARY: Readonly<Record<string, Unary>> = {
  Echo(call, done) {
    const headers = new Metadata();
    for (const key of ['a', 'b-bin', 'traceparent'])
      for (const value of call.metadata.get(key)) headers.add(`got-${key}`, value);
    call.sendMetadata(headers);
    const trailers = new Metadata();
    trailers.add('after', 'all');
    done(null, call.request, trailers);
  },
  Fail(_call, done) {
    const metadata = new Metadata();
    metadata.add('x-cosmos-block-height', '12');
    done({ code: status.FAILED_PRECONDITION, details: 'not now', metadata });
  },
  Away: (_call, done) => done({ code: status.UNAVAILABLE, details: 'going down' }),
  Big: (_call, done) => done(null, Buffer.alloc(200_000)),
  Hang: () => {},
};

const STREAMS: Readonly<Record<string, Stream>> = {
  Count(call) {
    const headers = new Metadata();
    headers.add('x-cosmos-block-height', '7');
    call.sendMetadata(headers);
    for (const byte of call.request) call.write(Buffer.from([byte]));
    const trailers = new Metadata();
    trailers.add('after', 'all');
    call.end(trailers);
  },
  Break(call) {
    call.write(Buffer.from([1]));
    call.emit('error', { code: status.DATA_LOSS, details: 'lost' });
  },
  Refuse: (call) => void call.emit('error', { code: status.OUT_OF_RANGE, details: 'no further' }),
  Endless(call) {
    const timer = setInterval(() => call.write(Buffer.from([1])), 5);
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => clearInterval(timer));
  },
};

export async function startRawNode(
  port = 0,
  service = 'test.Raw',
  security: ServerCredentials = ServerCredentials.createInsecure(),
): Promise<RawNode> {
  const calls: string[] = [];
  let cancelled = 0;
  const server = new Server();
  const define = (name: string, responseStream: boolean) => byteMethod(`/${service}/${name}`, { responseStream });
  const note = (path: string, call: { on(event: 'cancelled', listener: () => void): unknown }): void => {
    calls.push(path);
    call.on('cancelled', () => {
      cancelled += 1;
    });
  };
  const unary = Object.entries(UNARY).map(([name, handle]): [string, MethodDefinition<Buffer, Buffer>, Unary] => [
    name,
    define(name, false),
    (call, done) => {
      note(`/${service}/${name}`, call);
      handle(call, done);
    },
  ]);
  const streams = Object.entries(STREAMS).map(([name, handle]): [string, MethodDefinition<Buffer, Buffer>, Stream] => [
    name,
    define(name, true),
    (call) => {
      note(`/${service}/${name}`, call);
      handle(call);
    },
  ]);
  const all = [...unary, ...streams];
  server.addService(
    Object.fromEntries(all.map(([name, definition]) => [name, definition])),
    Object.fromEntries(all.map(([name, , handle]) => [name, handle])),
  );
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, security, (error, value) =>
      error === null ? resolve(value) : reject(error),
    );
  });
  return {
    address: `127.0.0.1:${bound}`,
    port: bound,
    calls,
    cancelled: () => cancelled,
    async close() {
      server.forceShutdown();
    },
  };
}
