/**
 * A chain node with negligible cost: it sends each query to the node `NODE_TARGET` once, and then repeats that reply. So a load
 * measures the gateway, not the node. With `NODE_SERVER=http2` it uses Node's HTTP/2, which any gRPC client can call. Prints its
 * address.
 */
import { createServer as createHttp2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { http2Channel } from '@mlango/grpc-channel';
import { answerOver } from './http2-answers.js';
import { type PreparedReplies, preparedReplies } from './prepared-replies.js';

const node = http2Channel({ target: process.env['NODE_TARGET'] ?? '', maxReceiveBytes: 64 * 1024 * 1024 });
const replies = preparedReplies(node);
const server =
  process.env['NODE_SERVER'] === 'http2'
    ? nodeHttp2Server(replies)
    : createServer({ noDelay: true }, (socket) => answerOver(socket, replies));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
process.on('SIGTERM', () => process.exit(0));

function nodeHttp2Server(prepared: PreparedReplies): Server {
  const http2 = createHttp2Server();
  http2.on('stream', (stream, headers) => {
    stream.on('error', () => stream.destroy());
    answer(stream, headers, prepared).catch(() => stream.destroy());
  });
  return http2;
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  prepared: PreparedReplies,
): Promise<void> {
  const request = await buffer(stream);
  const { code, framed } = await prepared(String(headers[':path']), request.subarray(5));
  if (stream.destroyed) return;
  const height = headers['x-cosmos-block-height'];
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc+proto', ...(height && { 'x-cosmos-block-height': height }) },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': code }));
  stream.end(framed);
}
