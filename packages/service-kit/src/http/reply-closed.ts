import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls back once, when the connection has sent the reply or has closed; at once if that is so already. */
export function whenReplyClosed(reply: ServerResponse, done: () => void): void {
  if (reply.closed) done();
  else reply.once('close', done);
}

/**
 * Emits `close` for the replies that Node.js leaves without it: replies of pipelined requests whose connection closed before their turn.
 * Without the event, nothing that a request takes until its reply closes would be given back.
 */
export function closePipelinedReplies(server: Server): void {
  const repliesOf = new WeakMap<Socket, Set<ServerResponse>>();
  const repliesOn = (socket: Socket) => {
    const known = repliesOf.get(socket);
    if (known !== undefined) return known;
    const replies = new Set<ServerResponse>();
    repliesOf.set(socket, replies);
    socket.once('close', () => {
      for (const reply of replies) {
        // A reply whose turn has come has the socket.
        if (reply.socket !== null || reply.closed) continue;
        // As Node.js marks a closed reply.
        Object.assign(reply, { destroyed: true, _closed: true }).emit('close');
      }
    });
    return replies;
  };
  server.prependListener('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
    // Node.js closes a reply that has the socket.
    if (reply.socket !== null) return;
    const replies = repliesOn(socket);
    replies.add(reply);
    reply.once('close', () => replies.delete(reply));
  });
}
