import type { Duplex } from 'node:stream';
import { FrameReader } from './frame-reader.js';
import {
  ConnectionError,
  DEFAULT_WINDOW_BYTES,
  ERROR,
  FLAG,
  FRAME,
  PREFACE,
  readNumber,
  writeFrame,
  writeNumbers,
} from './frames.js';
import { writeHeaderBlock } from './header-blocks.js';
import { EMPTY_TABLE } from './hpack-encoder.js';
import { Keepalive, type KeepaliveTimes } from './keepalive.js';
import { OpenStreams, STREAM_ID_MASK } from './open-streams.js';
import { Outbox } from './outbox.js';
import { SendFlow } from './send-flow.js';
import { clientSettings, DEFAULT_SETTINGS, type PeerSettings, readSettings } from './settings.js';
import { Stream, type StreamEvents } from './stream.js';
import { CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES, StreamInbox } from './stream-inbox.js';

export interface ConnectionOptions {
  readonly keepalive: () => KeepaliveTimes;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** The other side said what it allows: streams can be opened. */
  readonly onReady: () => void;
  /** A stream ended, so that there may be room for another one. */
  readonly onRoom: () => void;
  /** No stream can be opened here any more; those that are open go on. */
  readonly onDraining: (code: number) => void;
  /** Called once, after all streams broke. */
  readonly onClosed: (reason: Error) => void;
}

const PING = Buffer.alloc(8);
/** Settings and pings in one chunk: each costs more to answer than to send, and nobody has reason for so many. */
const MAX_DEMANDS = 100;
/** After a chunk of more frames everybody else has a turn of the event loop: more would be read without end otherwise. */
const MANY_FRAMES = 1000;

/**
 * The client's side of one HTTP/2 connection, as far as gRPC needs it: no server push, no priorities, request bodies
 * that are known as a whole. Source: RFC 9113.
 *
 * Frames are made and read here rather than by node:http2, which costs seven times as much CPU for a small call.
 */
export class Connection {
  readonly #socket: Duplex;
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #sendFlow: SendFlow;
  readonly #streams: OpenStreams;
  readonly #inbox: StreamInbox;
  readonly #reader = new FrameReader((type, flags, streamId, payload) => this.#take(type, flags, streamId, payload));
  readonly #keepalive: Keepalive;
  #settings: PeerSettings = DEFAULT_SETTINGS;
  #isReady = false;
  #isDraining = false;
  #isClosed = false;
  #mustEmptyTable = false;
  /** Settings and pings of the chunk that is read. */
  #demands = 0;

  constructor(socket: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#outbox = new Outbox(socket);
    this.#sendFlow = new SendFlow(this.#outbox);
    this.#streams = new OpenStreams(this.#outbox, this.#sendFlow, () => this.#afterRemoval());
    this.#inbox = new StreamInbox(this.#streams, this.#outbox);
    this.#keepalive = new Keepalive({
      times: options.keepalive,
      now: options.now,
      ping: () => this.#outbox.push(writeFrame(FRAME.ping, 0, 0, PING)),
      onDead: () => this.fail(new ConnectionError(ERROR.noError, 'it did not answer a ping')),
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#close(error));
    socket.on('close', () => this.#close(new Error('the connection was closed')));
    this.#outbox.push(PREFACE);
    this.#outbox.push(writeFrame(FRAME.settings, 0, 0, clientSettings(STREAM_WINDOW_BYTES)));
    this.#outbox.push(writeNumbers(FRAME.windowUpdate, 0, CONNECTION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES));
  }

  /** True when a stream can be opened now. */
  get hasRoom(): boolean {
    const isOpen = this.#isReady && !this.#isDraining && !this.#isClosed;
    return isOpen && this.#streams.count < this.#settings.maxConcurrentStreams;
  }

  /** As many streams are open as the other side takes. */
  get isFull(): boolean {
    return !this.isIdle && this.#streams.count >= this.#settings.maxConcurrentStreams;
  }

  /** No stream is open. */
  get isIdle(): boolean {
    return this.#streams.count === 0;
  }

  /** Sends a request, while there is room; `undefined` when there is none. Its headers are all blocks together; the body holds one byte at least. */
  open(blocks: readonly Uint8Array[], body: Uint8Array, events: StreamEvents): Stream | undefined {
    const id = this.hasRoom ? this.#streams.nextId() : undefined;
    if (id === undefined) {
      this.#drainWhenUsedUp();
      return undefined;
    }
    const { initialWindowBytes, maxFrameBytes } = this.#settings;
    const stream = new Stream(id, events, STREAM_WINDOW_BYTES, initialWindowBytes, body);
    this.#streams.add(stream);
    const head = this.#mustEmptyTable ? [EMPTY_TABLE, ...blocks] : blocks;
    this.#mustEmptyTable = false;
    for (const part of writeHeaderBlock(id, head, maxFrameBytes)) this.#outbox.push(part);
    this.#sendFlow.send(stream, maxFrameBytes);
    this.#keepalive.begin();
    return stream;
  }

  /** Opens no more streams, and ends the connection when those that are open are over. */
  retire(): void {
    this.#drain(ERROR.noError);
    this.#afterRemoval();
  }

  /** Ends a stream nobody waits for. It is told nothing any more. */
  cancel(stream: Stream): void {
    if (this.#streams.has(stream)) this.#streams.reset(stream, ERROR.cancel);
  }

  /** Bytes of a stream were used, so that it may send as many again. */
  consume(stream: Stream, bytes: number): void {
    this.#inbox.consume(stream, bytes);
  }

  /** Ends the connection and all its streams. */
  fail(error: Error): void {
    if (this.#isClosed) return;
    const code = error instanceof ConnectionError ? error.code : ERROR.noError;
    this.#outbox.push(writeNumbers(FRAME.goaway, 0, 0, code));
    this.#outbox.flush();
    this.#close(error);
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#keepalive.hear();
    this.#demands = 0;
    try {
      if (this.#reader.read(chunk) > MANY_FRAMES) this.#readLater();
      if (this.#outbox.isStuck) throw new ConnectionError(ERROR.enhanceYourCalm, 'it reads nothing');
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #readLater(): void {
    this.#socket.pause();
    setImmediate(() => this.#socket.resume());
  }

  #take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (this.#isClosed) return;
    const isExpected = this.#inbox.isInHeaders
      ? type === FRAME.continuation
      : this.#isReady || MAY_COME_FIRST.has(type);
    if (!isExpected) throw new ConnectionError(ERROR.protocol, 'it sends frames out of order');
    if (streamId === 0 ? type === FRAME.priority : OF_THE_CONNECTION.has(type)) {
      throw new ConnectionError(ERROR.protocol, 'it sends a frame where it does not belong');
    }
    if (type === FRAME.data) this.#inbox.takeData(flags, streamId, payload);
    else if (type === FRAME.headers) this.#inbox.takeHeaders(flags, streamId, payload);
    else if (type === FRAME.continuation) this.#inbox.takeContinuation(flags, streamId, payload);
    else if (type === FRAME.rstStream) this.#inbox.takeReset(streamId, readNumber(payload, 0, 4));
    else if (type === FRAME.settings) this.#takeSettings(flags, payload);
    else if (type === FRAME.ping) this.#takePing(flags, payload);
    else if (type === FRAME.goaway) this.#takeGoaway(readNumber(payload, 0) & STREAM_ID_MASK, readNumber(payload, 4));
    else if (type === FRAME.windowUpdate) this.#takeWindowUpdate(streamId, readNumber(payload, 0, 4) & STREAM_ID_MASK);
    else if (type === FRAME.pushPromise) throw new ConnectionError(ERROR.protocol, 'it pushes');
    // Frames that are not known here mean nothing.
  }

  #takeSettings(flags: number, payload: Buffer): void {
    if ((flags & FLAG.ack) !== 0) {
      if (payload.length > 0) throw new ConnectionError(ERROR.frameSize, 'an acknowledgement says more');
      return;
    }
    this.#noteDemand();
    const before = this.#settings;
    this.#settings = readSettings(before, payload);
    if (this.#settings.saysTableSize) this.#mustEmptyTable = true;
    this.#outbox.push(writeFrame(FRAME.settings, FLAG.ack, 0));
    const { initialWindowBytes, maxFrameBytes } = this.#settings;
    const wider = initialWindowBytes - before.initialWindowBytes;
    for (const stream of this.#streams.all) this.#sendFlow.open(wider, stream, maxFrameBytes);
    if (this.#isReady) this.#options.onRoom();
    else {
      this.#isReady = true;
      this.#options.onReady();
    }
  }

  #takePing(flags: number, payload: Buffer): void {
    if (payload.length !== PING.length) throw new ConnectionError(ERROR.frameSize, 'a ping is cut short');
    if ((flags & FLAG.ack) !== 0) return;
    this.#noteDemand();
    this.#outbox.push(writeFrame(FRAME.ping, FLAG.ack, 0, payload));
  }

  #noteDemand(): void {
    this.#demands += 1;
    if (this.#demands > MAX_DEMANDS) throw new ConnectionError(ERROR.enhanceYourCalm, 'it asks for too many answers');
  }

  #takeGoaway(lastId: number, code: number): void {
    this.#drain(code);
    const cause = { code, reason: 'the node is going away', isUnprocessed: true, isConnectionLost: true };
    for (const stream of this.#streams.all) if (stream.id > lastId) this.#streams.break(stream, cause);
    this.#afterRemoval();
  }

  #takeWindowUpdate(streamId: number, bytes: number): void {
    const stream = streamId === 0 ? undefined : this.#streams.find(streamId);
    if (streamId !== 0 && stream === undefined) return;
    if (bytes === 0) throw new ConnectionError(ERROR.protocol, 'it opens a window by nothing');
    this.#sendFlow.open(bytes, stream, this.#settings.maxFrameBytes);
  }

  #drainWhenUsedUp(): void {
    if (this.hasRoom) this.#drain(ERROR.noError);
  }

  #drain(code: number): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#options.onDraining(code);
  }

  #afterRemoval(): void {
    if (this.#isClosed) return;
    if (this.#streams.count === 0) this.#keepalive.stop();
    if (this.#streams.count === 0 && this.#isDraining) this.fail(new Error('the node went away'));
    else this.#options.onRoom();
  }

  #close(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#keepalive.stop();
    this.#socket.destroy();
    const cause = { code: ERROR.noError, reason: reason.message, isUnprocessed: false, isConnectionLost: true };
    for (const stream of this.#streams.all) this.#streams.break(stream, cause);
    this.#options.onClosed(reason);
  }
}

/** Frames that belong to no stream. */
const OF_THE_CONNECTION: ReadonlySet<number> = new Set([FRAME.settings, FRAME.ping, FRAME.goaway]);
const MAY_COME_FIRST: ReadonlySet<number> = new Set([FRAME.settings, FRAME.goaway]);
