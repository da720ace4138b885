import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { END_HEADERS, flood, frame, many, NOTHING, onCalls, REPLY_HEAD, TYPE } from './hostile-frames.js';

/** What a node does with a connection, and perhaps with each call. */
interface HostileNode {
  readonly name: string;
  readonly onSocket?: (socket: Socket) => void;
  readonly onCall?: (socket: Socket, streamId: number) => void;
}

const LITTLE = Buffer.from([0, 0, 0, 0, 1, 7]);
/** Literals that are kept in the table of headers, each with a value of 3,000 bytes. */
const STORED = Buffer.concat([Buffer.of(0x40, 1, 0x61, 0x7f, 0xb9, 0x16), Buffer.alloc(3000, 0x61)]);
const head = (streamId: number): Buffer => frame(TYPE.headers, END_HEADERS, streamId, REPLY_HEAD);
const floodAfterHead = (make: (streamId: number) => Buffer) => (socket: Socket, streamId: number) => {
  socket.write(head(streamId));
  flood(socket, make(streamId));
};

export const HOSTILE_NODES: readonly HostileNode[] = [
  { name: 'cut frames', onCall: (socket, id) => void socket.end(frame(TYPE.headers, END_HEADERS, id, REPLY_HEAD, 60)) },
  {
    name: 'frames of 16 MiB',
    onCall: (socket, id) => flood(socket, frame(TYPE.data, 0, id, Buffer.alloc(16_384), 0xffffff)),
  },
  {
    name: 'messages of 4 GiB',
    onCall: floodAfterHead((id) =>
      frame(TYPE.data, 0, id, Buffer.from([0, 255, 255, 255, 255, ...Array(1000).fill(1)])),
    ),
  },
  {
    name: 'endless headers',
    onCall: (socket, id) => {
      socket.write(frame(TYPE.headers, 0, id, REPLY_HEAD));
      flood(socket, many(frame(TYPE.continuation, 0, id, STORED), 20));
    },
  },
  {
    name: 'endless trailers',
    onCall: (socket, id) => {
      socket.write(Buffer.concat([head(id), frame(TYPE.data, 0, id, LITTLE), frame(TYPE.headers, 1, id, STORED)]));
      flood(socket, many(frame(TYPE.continuation, 0, id, NOTHING), 2000));
    },
  },
  {
    name: 'headers that refer to a full table',
    onCall: (socket, id) => {
      const block = Buffer.concat([REPLY_HEAD, STORED, Buffer.alloc(13_000, 0xbe)]);
      flood(socket, frame(TYPE.headers, END_HEADERS, id, block));
    },
  },
  { name: 'pings', onSocket: (socket) => flood(socket, many(frame(TYPE.ping, 0, 0, Buffer.alloc(8)), 2000)) },
  {
    name: 'settings',
    onSocket: (socket) => flood(socket, many(frame(TYPE.settings, 0, 0, Buffer.from([0, 4, 0, 0, 255, 255])), 2000)),
  },
  { name: 'GOAWAY', onSocket: (socket) => flood(socket, many(frame(TYPE.goaway, 0, 0, Buffer.alloc(8)), 500)) },
  { name: 'GOAWAY with each call', onCall: (socket) => void socket.write(frame(TYPE.goaway, 0, 0, Buffer.alloc(8))) },
  {
    name: 'resets',
    onCall: (socket, id) => flood(socket, many(frame(TYPE.reset, 0, id, Buffer.from([0, 0, 0, 7])), 2000)),
  },
  { name: 'a reply that never ends', onCall: floodAfterHead((id) => many(frame(TYPE.data, 0, id, LITTLE), 1000)) },
  { name: 'empty frames', onCall: floodAfterHead((id) => many(frame(TYPE.data, 0, id, NOTHING), 2000)) },
  {
    name: 'wide windows',
    onCall: (socket) => flood(socket, many(frame(TYPE.window, 0, 0, Buffer.from([127, 255, 255, 255])), 2000)),
  },
  {
    name: 'windows wider by one',
    onCall: (socket, id) => flood(socket, many(frame(TYPE.window, 0, id, Buffer.from([0, 0, 0, 1])), 2000)),
  },
  {
    name: 'noise',
    onSocket: (socket) => flood(socket, Buffer.from(Array.from({ length: 16_384 }, (_, at) => (at * 7919) % 251))),
  },
  { name: 'silence' },
];

/** A node that is what it is told to be: a good one, which it passes everything on to, or a hostile one. */
export async function startHostileNode(good: { readonly port: number }) {
  let kind: HostileNode | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    if (kind === undefined) {
      const on = connect(good.port, '127.0.0.1');
      on.on('error', () => socket.destroy());
      socket.once('close', () => on.destroy());
      socket.pipe(on).pipe(socket);
      return;
    }
    const { onSocket, onCall } = kind;
    socket.write(frame(TYPE.settings, 0, 0, NOTHING));
    onCalls(socket, (streamId) => onCall?.(socket, streamId));
    onSocket?.(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    /** `undefined`: a good one. Connections end. */
    become(next: HostileNode | undefined): void {
      kind = next;
      for (const socket of sockets) socket.destroy();
    },
    stop(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
