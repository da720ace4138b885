// node channel.mjs: calls a real gRPC server over the installed channel, and over grpc-js.
import assert from 'node:assert/strict';
import { promisify } from 'node:util';
import * as grpc from '@grpc/grpc-js';
import { createChannel, GRPC_CODES, NodeFailure } from '@mlango/grpc-channel';
import { grpcJsChannel } from '@mlango/grpc-channel/grpc-js';

const bytes = (value) => value;
const server = new grpc.Server();
server.addService(
  {
    Echo: {
      path: '/a.B/Echo',
      requestStream: false,
      responseStream: false,
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    },
  },
  { Echo: (call, done) => done(null, call.request) },
);
const bind = promisify(server.bindAsync.bind(server));
const port = await bind('127.0.0.1:0', grpc.ServerCredentials.createInsecure());
for (const more of [{}, { open: grpcJsChannel(grpc) }]) {
  const channel = createChannel({ targets: [`127.0.0.1:${port}`], ...more });
  const { message } = await channel.unary('/a.B/Echo', Uint8Array.of(1, 2, 3));
  assert.deepEqual([...message], [1, 2, 3]);
  const failure = await channel.unary('/a.B/Nope', Uint8Array.of()).catch((error) => error);
  assert.ok(failure instanceof NodeFailure && failure.code === GRPC_CODES.unimplemented);
  channel.close();
}
server.forceShutdown();
