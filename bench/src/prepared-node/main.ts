/**
 * A chain node that costs next to nothing: each query is put to the node `NODE_TARGET` once, and answered with the same message from then on, over
 * HTTP/2 as gRPC servers speak it. So who asks is what a load measures, and not who answers. Prints the port it listens on.
 */
import { createServer } from 'node:net';
import { leanChannel } from '@mlango/grpc-channel';
import { answerOver } from './answer-over.js';
import { preparedReplies } from './prepared-replies.js';

const node = leanChannel({ target: process.env['NODE_TARGET'] ?? '', maxReceiveBytes: 64 * 1024 * 1024 });
const replies = preparedReplies(node);
const server = createServer({ noDelay: true }, (socket) => answerOver(socket, replies));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
process.on('SIGTERM', () => process.exit(0));
