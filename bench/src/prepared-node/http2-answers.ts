import type { Socket } from 'node:net';
import { type Header, HeaderTable } from './header-table.js';
import type { PreparedReplies, PreparedReply } from './prepared-replies.js';

const FRAME = { data: 0, headers: 1, rstStream: 3, settings: 4, ping: 6, windowUpdate: 8 } as const;
const FLAG = { endStream: 1, ack: 1, endHeaders: 4 } as const;
const PREFACE_BYTES = 24;
const FRAME_HEADER_BYTES = 9;
const FRAME_BYTES = 16_384;
const WINDOW_BYTES = 65_535;
const GRPC_PREFIX_BYTES = 5;
const HEIGHT = 'x-cosmos-block-height';

interface Call {
  readonly path: string;
  readonly height: string;
}

/**
 * Serves one connection of our own gRPC channel, which sends headers as plain literals and each request in one frame. The
 * flow-control window of the connection is respected; no reply is larger than the window of its stream.
 */
export function answerOver(socket: Socket, replies: PreparedReplies): void {
  const table = new HeaderTable();
  const calls = new Map<number, Call>();
  const queue: { readonly streamId: number; readonly height: string; readonly reply: PreparedReply }[] = [];
  let window = WINDOW_BYTES;
  let consumed = 0;
  let out: Buffer[] = [];
  let skip = PREFACE_BYTES;
  let rest = Buffer.alloc(0);

  const push = (type: number, flags: number, streamId: number, payload: Buffer): void => {
    out.push(frameHeader(payload.length, type, flags, streamId), payload);
  };
  const flush = (): void => {
    if (out.length > 0) socket.write(Buffer.concat(out));
    out = [];
  };

  /** Headers are encoded in the order they are sent, since each changes the table. */
  function sendQueued(): void {
    for (let next = queue[0]; next !== undefined && next.reply.framed.length <= window; next = queue[0]) {
      queue.shift();
      const { streamId, height, reply } = next;
      window -= reply.framed.length;
      const ofHeight: Header[] = height === '' ? [] : [[HEIGHT, height]];
      push(FRAME.headers, FLAG.endHeaders, streamId, table.encode([...HEADERS, ...ofHeight, ['date', dateText()]]));
      for (let at = 0; at < reply.framed.length; at += FRAME_BYTES)
        push(FRAME.data, 0, streamId, reply.framed.subarray(at, at + FRAME_BYTES));
      const trailers = table.encode([
        ['grpc-status', String(reply.code)],
        ['grpc-message', reply.code === 0 ? 'OK' : 'failed'],
      ]);
      push(FRAME.headers, FLAG.endHeaders | FLAG.endStream, streamId, trailers);
    }
  }

  /** Renews the window of requests, half of it at a time. */
  function updateWindow(bytes: number): void {
    consumed += bytes;
    if (consumed < WINDOW_BYTES / 2) return;
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(consumed);
    push(FRAME.windowUpdate, 0, 0, payload);
    consumed = 0;
  }

  function answer(streamId: number, request: Buffer): void {
    const call = calls.get(streamId);
    if (call === undefined) return;
    calls.delete(streamId);
    const reply = replies(call.path, request.subarray(GRPC_PREFIX_BYTES));
    if (!(reply instanceof Promise)) queue.push({ streamId, height: call.height, reply });
    else
      void reply.then((first) => {
        queue.push({ streamId, height: call.height, reply: first });
        sendQueued();
        flush();
      });
  }

  function take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === FRAME.data) updateWindow(payload.length);
    if (type === FRAME.headers) calls.set(streamId, readCall(payload));
    else if (type === FRAME.data) answer(streamId, payload);
    else if (type === FRAME.rstStream) calls.delete(streamId);
    else if (type === FRAME.windowUpdate && streamId === 0) window += payload.readUInt32BE(0);
    else if (type === FRAME.settings && (flags & FLAG.ack) === 0) push(FRAME.settings, FLAG.ack, 0, NOTHING);
    else if (type === FRAME.ping && (flags & FLAG.ack) === 0) push(FRAME.ping, FLAG.ack, 0, payload);
  }

  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    const fresh = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - fresh.length;
    const bytes = rest.length === 0 ? fresh : Buffer.concat([rest, fresh]);
    let at = 0;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const end = at + FRAME_HEADER_BYTES + bytes.readUIntBE(at, 3);
      if (bytes.length < end) break;
      take(
        bytes[at + 3] ?? 0,
        bytes[at + 4] ?? 0,
        bytes.readUInt32BE(at + 5),
        bytes.subarray(at + FRAME_HEADER_BYTES, end),
      );
      at = end;
    }
    rest = Buffer.from(bytes.subarray(at));
    sendQueued();
    flush();
  });
  push(FRAME.settings, 0, 0, NOTHING);
  flush();
}

const NOTHING = Buffer.alloc(0);
/** Headers that grpc-js sends with each reply. */
const HEADERS: readonly Header[] = [
  [':status', '200'],
  ['content-type', 'application/grpc+proto'],
  ['grpc-accept-encoding', 'identity,deflate,gzip'],
  ['grpc-encoding', 'identity'],
];

let date = { second: 0, text: '' };

function dateText(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() };
  return date.text;
}

function frameHeader(length: number, type: number, flags: number, streamId: number): Buffer {
  const header = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(streamId, 5);
  return header;
}

/** Path and height of a call with headers as literals outside the table. @throws {Error} on other encodings */
function readCall(block: Buffer): Call {
  const asked = { path: '', height: '' };
  let at = 0;
  const text = (): string => {
    let length = block[at++] ?? 0;
    if (length === 0x7f) {
      for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
        byte = block[at++] ?? 0;
        length += (byte & 0x7f) << shift;
      }
    }
    at += length;
    return block.toString('latin1', at - length, at);
  };
  while (at < block.length) {
    const first = block[at++];
    // An update of the table size.
    if (first === 0x20) continue;
    if (first !== 0) throw new Error('headers are not plain literals');
    const [name, value] = [text(), text()];
    if (name === ':path') asked.path = value;
    else if (name === HEIGHT) asked.height = value;
  }
  return asked;
}
