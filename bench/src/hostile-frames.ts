import type { Socket } from 'node:net';

const PREFACE_BYTES = 24;
export const TYPE = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;
export const END_HEADERS = 4;

/** A frame of HTTP/2; `length` is what it says of itself, if that is not the truth. */
export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Uint8Array,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

export const NOTHING = new Uint8Array();
/** `:status: 200` and `content-type: application/grpc`, as literals. */
export const REPLY_HEAD = Buffer.concat([Buffer.of(0x88, 0x0f, 0x10, 0x10), Buffer.from('application/grpc')]);

/** Tells of each call that a client begins. */
export function onCalls(socket: Socket, tell: (streamId: number) => void): void {
  let rest = Buffer.alloc(0);
  let skipped = 0;
  socket.on('data', (chunk: Buffer) => {
    const skip = Math.min(PREFACE_BYTES - skipped, chunk.length);
    skipped += skip;
    rest = Buffer.concat([rest, chunk.subarray(skip)]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      if (rest[3] === TYPE.headers) tell(rest.readUInt32BE(5));
      rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    }
  });
}

/** Writes a chunk again and again, for as long as it is taken. */
export function flood(socket: Socket, chunk: Buffer): void {
  const write = (): void => {
    if (socket.destroyed) return;
    if (socket.write(chunk)) setImmediate(write);
    else whenDrained(socket, write);
  };
  write();
}

const waiting = new WeakMap<Socket, (() => void)[]>();

/** One listener for all the calls of a socket that are flooded. */
function whenDrained(socket: Socket, write: () => void): void {
  const others = waiting.get(socket);
  if (others !== undefined) {
    others.push(write);
    return;
  }
  const all = [write];
  waiting.set(socket, all);
  socket.once('drain', () => {
    waiting.delete(socket);
    for (const each of all) each();
  });
}

/** Many of one frame in one chunk. */
export function many(one: Buffer, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => one));
}
