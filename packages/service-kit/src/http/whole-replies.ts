import type { Server } from 'node:http';
import { Socket } from 'node:net';

type Pieces = Parameters<NonNullable<Socket['_writev']>>[0];
type Done = Parameters<NonNullable<Socket['_writev']>>[1];

/**
 * Has a reply that is known whole leave in one plain write. Node puts an empty piece behind its text, to be told when it is out, and two pieces
 * are first copied to memory that is asked for and given back each time: a tenth of what a short reply costs.
 */
export function writeRepliesWhole(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket._writev = writePieces;
  });
}

function writePieces(this: Socket, pieces: Pieces, done: Done): void {
  const [text, last] = pieces;
  if (pieces.length === 2 && text !== undefined && last?.chunk.length === 0)
    this._write(text.chunk, text.encoding, done);
  else Socket.prototype._writev?.call(this, pieces, done);
}
