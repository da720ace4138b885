import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FLAG, FRAME, FrameReader, PREFACE, writeFrame } from '../src/http2/frames.js';
import type { Header } from '../src/http2/hpack-decoder.js';
import { encodeHeaders } from '../src/http2/hpack-encoder.js';

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** One connection of a client, seen from the other side. */
export interface PeerConnection {
  readonly socket: Socket;
  readonly received: readonly Frame[];
  send(type: number, flags: number, streamId: number, payload?: Uint8Array): void;
}

/** A peer that speaks HTTP/2 frame by frame, controlled by a test. */
export interface FramePeer {
  readonly target: string;
  readonly connections: readonly PeerConnection[];
  /** Received frames of a type, over all connections. */
  received(type: number): Frame[];
  /** Refuses further connections, and reports each attempt. */
  refuse(onTry: () => void): void;
  close(): Promise<void>;
}

export interface PeerScript {
  /** The payload of the first settings. */
  readonly settings?: Uint8Array;
  /** Called for each frame of the client, after the preface. */
  readonly onFrame: (peer: PeerConnection, frame: Frame) => void;
  /** Writes bytes; default: each chunk unchanged. */
  readonly write?: (socket: Socket, bytes: Buffer) => void;
}

export async function startFramePeer(script: PeerScript, host = '127.0.0.1'): Promise<FramePeer> {
  const connections: PeerConnection[] = [];
  const write = script.write ?? ((socket, bytes) => void socket.write(bytes));
  let refused: (() => void) | undefined;
  const server = createServer((socket) => {
    if (refused !== undefined) {
      refused();
      socket.destroy();
      return;
    }
    const received: Frame[] = [];
    const peer: PeerConnection = {
      socket,
      received,
      send: (type, flags, streamId, payload) => write(socket, writeFrame(type, flags, streamId, payload)),
    };
    connections.push(peer);
    let greeting = PREFACE.length;
    const reader = new FrameReader((type, flags, streamId, bytes, start, end) => {
      const frame = { type, flags, streamId, payload: Buffer.from(bytes.subarray(start, end)) };
      received.push(frame);
      script.onFrame(peer, frame);
    });
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const skipped = Math.min(greeting, chunk.length);
      greeting -= skipped;
      reader.read(chunk.subarray(skipped));
    });
    peer.send(FRAME.settings, 0, 0, script.settings);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    received: (type) => connections.flatMap((peer) => peer.received.filter((frame) => frame.type === type)),
    refuse(onTry) {
      refused = onTry;
    },
    async close() {
      for (const { socket } of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A message as gRPC frames it. */
export function message(bytes: readonly number[], flag = 0): Buffer {
  const framed = Buffer.from([flag, 0, 0, 0, 0, ...bytes]);
  framed.writeUInt32BE(bytes.length, 1);
  return framed;
}

export const GRPC_REPLY: readonly Header[] = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
];
export const OK: readonly Header[] = [['grpc-status', '0']];

/** Headers in one frame. */
export function sendHeaders(peer: PeerConnection, streamId: number, headers: readonly Header[], flags = 0): void {
  peer.send(FRAME.headers, FLAG.endHeaders | flags, streamId, encodeHeaders(headers));
}

/** A whole reply with one message. */
export function sendReply(peer: PeerConnection, streamId: number, bytes: readonly number[] = [7]): void {
  sendHeaders(peer, streamId, GRPC_REPLY);
  peer.send(FRAME.data, 0, streamId, message(bytes));
  sendHeaders(peer, streamId, OK, FLAG.endStream);
}

/** Answers each complete request. `count` is 1 for the first one, over all connections. */
export function onRequest(answer: (peer: PeerConnection, streamId: number, count: number) => void): PeerScript {
  let count = 0;
  return {
    onFrame: (peer, frame) => {
      if (frame.type !== FRAME.data || (frame.flags & FLAG.endStream) === 0) return;
      count += 1;
      answer(peer, frame.streamId, count);
    },
  };
}

/** A payload of numbers of four bytes. */
export function numbers(...values: readonly number[]): Buffer {
  const payload = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) payload.writeUInt32BE(value, at * 4);
  return payload;
}

/** One setting, as a payload. */
export function setting(id: number, value: number): Buffer {
  return Buffer.concat([Buffer.of(0, id), numbers(value)]);
}
