import type { Duplex } from 'node:stream';
import { SendFlow } from './flow-control.js';
import {
  ConnectionError,
  checkFirstBytes,
  checkOrder,
  DEFAULT_WINDOW_BYTES,
  ERROR,
  FRAME,
  FrameReader,
  Outbox,
  PING_BYTES,
  PREFACE,
  readNumber,
  writeNumbers,
} from './frames.js';
import { sendHeaderBlock } from './header-blocks.js';
import { HEADER_LIST_LIMIT_BYTES } from './hpack-decoder.js';
import { afterEmptyTable, type HeaderBlock } from './hpack-encoder.js';
import { Keepalive } from './keepalive.js';
import { OpenStreams, STREAM_ID_MASK } from './open-streams.js';
import { PeerControl } from './peer-control.js';
import { type ConnectionOptions, clientSettings } from './settings.js';
import { Stream, type StreamEvents } from './stream.js';
import { CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES, StreamInbox } from './stream-inbox.js';

/** After a chunk with more frames, reading pauses for one event-loop turn, so that other work can run. */
const MANY_FRAMES = 1000;

/**
 * The client's side of one HTTP/2 connection, with what gRPC needs: no server push, no priorities, request bodies
 * that are known as a whole. Source: RFC 9113.
 *
 * It reads and writes frames itself: node:http2 costs seven times the CPU for a small call.
 */
export class Connection {
  readonly #socket: Duplex;
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #sendFlow: SendFlow;
  readonly #streams: OpenStreams;
  readonly #inbox: StreamInbox;
  readonly #peer: PeerControl;
  readonly #reader = new FrameReader((type, flags, streamId, bytes, start, end) =>
    this.#take(type, flags, streamId, bytes, start, end),
  );
  readonly #keepalive: Keepalive;
  #isDraining = false;
  #isClosed = false;

  constructor(socket: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#outbox = new Outbox(socket);
    this.#sendFlow = new SendFlow(this.#outbox);
    this.#streams = new OpenStreams(this.#outbox, this.#sendFlow, () => this.#afterRemoval());
    this.#inbox = new StreamInbox(this.#streams, this.#outbox);
    this.#peer = new PeerControl(this.#streams, this.#outbox, this.#sendFlow, options);
    this.#keepalive = new Keepalive({
      times: options.keepalive,
      ping: () => this.#outbox.pushFrame(FRAME.ping, 0, 0, Buffer.alloc(PING_BYTES)),
      onDead: () => this.fail(new ConnectionError(ERROR.noError, 'it did not answer a ping')),
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#close(error, true));
    socket.on('close', () => this.#close(new Error('the connection was closed'), true));
    this.#outbox.push(PREFACE);
    this.#outbox.pushFrame(FRAME.settings, 0, 0, clientSettings(STREAM_WINDOW_BYTES, HEADER_LIST_LIMIT_BYTES));
    this.#outbox.push(writeNumbers(FRAME.windowUpdate, 0, CONNECTION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES));
  }

  /** True when a stream can be opened now. */
  get hasRoom(): boolean {
    const isOpen = this.#peer.isReady && !this.#isDraining && !this.#isClosed;
    return isOpen && this.#streams.count < this.#peer.settings.maxConcurrentStreams;
  }

  /** The peer's limit of streams is reached. */
  get isFull(): boolean {
    return !this.isIdle && this.#streams.count >= this.#peer.settings.maxConcurrentStreams;
  }

  /** No stream is open. */
  get isIdle(): boolean {
    return this.#streams.count === 0;
  }

  /** Sends a request if the peer's limit permits; else returns `undefined`. The body has at least one byte. */
  open(headers: HeaderBlock, body: Uint8Array, events: StreamEvents): Stream | undefined {
    const id = this.hasRoom ? this.#streams.nextId() : undefined;
    if (id === undefined) {
      // All identifiers were used.
      if (this.hasRoom) this.#drain(ERROR.noError);
      return undefined;
    }
    const { initialWindowBytes, maxFrameBytes } = this.#peer.settings;
    const stream = new Stream(id, events, STREAM_WINDOW_BYTES, initialWindowBytes, body);
    this.#streams.add(stream);
    const block = this.#peer.mustEmptyTable ? afterEmptyTable(headers) : headers;
    this.#peer.mustEmptyTable = false;
    sendHeaderBlock(this.#outbox, id, block, maxFrameBytes);
    this.#sendFlow.send(stream, maxFrameBytes);
    this.#keepalive.begin();
    return stream;
  }

  /** Opens no more streams, and ends the connection after the open ones. */
  retire(): void {
    this.#drain(ERROR.noError);
    this.#afterRemoval();
  }

  /** Cancels a stream. No event follows. */
  cancel(stream: Stream): void {
    if (this.#streams.has(stream)) this.#streams.reset(stream, ERROR.cancel);
  }

  /** Bytes of a stream were used, so the peer may send the same number. */
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
    this.#peer.beginChunk();
    try {
      if (!this.#peer.isReady) checkFirstBytes(chunk);
      if (this.#reader.read(chunk) > MANY_FRAMES) this.#readLater();
      if (this.#outbox.isStuck) throw new ConnectionError(ERROR.enhanceYourCalm, 'it does not read');
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #readLater(): void {
    this.#socket.pause();
    setImmediate(() => this.#socket.resume());
  }

  #take(type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    if (this.#isClosed) return;
    checkOrder(type, streamId, this.#inbox.isInHeaders, this.#peer.isReady);
    if (type === FRAME.data) this.#inbox.takeData(flags, streamId, bytes, start, end);
    else if (type === FRAME.headers) this.#inbox.takeHeaders(flags, streamId, bytes, start, end);
    else if (type === FRAME.continuation) this.#inbox.takeContinuation(flags, streamId, bytes, start, end);
    else this.#takeRare(type, flags, streamId, bytes.subarray(start, end));
  }

  /** Unknown frames are ignored. */
  #takeRare(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === FRAME.rstStream) this.#inbox.takeReset(streamId, readNumber(payload, 0, 4));
    else if (type === FRAME.settings) this.#peer.takeSettings(flags, payload);
    else if (type === FRAME.ping) this.#peer.takePing(flags, payload);
    else if (type === FRAME.goaway) this.#takeGoaway(readNumber(payload, 0) & STREAM_ID_MASK, readNumber(payload, 4));
    else if (type === FRAME.windowUpdate)
      this.#peer.takeWindowUpdate(streamId, readNumber(payload, 0, 4) & STREAM_ID_MASK);
    else if (type === FRAME.pushPromise) throw new ConnectionError(ERROR.protocol, 'it sends a push promise');
  }

  #takeGoaway(lastId: number, code: number): void {
    this.#drain(code);
    const cause = {
      code,
      reason: 'the node is shutting down the connection',
      isUnprocessed: true,
      isConnectionFailure: true,
      isUnanswered: !this.#inbox.isAnswered,
    };
    for (const stream of this.#streams.all) if (stream.id > lastId) this.#streams.break(stream, cause);
    this.#afterRemoval();
  }

  #drain(code: number): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#options.onDraining(code);
  }

  #afterRemoval(): void {
    if (this.#isClosed) return;
    if (this.#streams.count === 0) this.#keepalive.rest();
    if (this.#streams.count === 0 && this.#isDraining) this.fail(new Error('the node shut down the connection'));
    else this.#options.onRoom();
  }

  #close(reason: Error, isByPeer = false): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#keepalive.stop();
    this.#socket.destroy();
    const cause = {
      code: ERROR.noError,
      reason: reason.message,
      isUnprocessed: false,
      isConnectionFailure: true,
      isUnanswered: isByPeer && !this.#inbox.isAnswered,
    };
    for (const stream of this.#streams.all) this.#streams.break(stream, cause);
    this.#options.onClosed(reason);
  }
}
