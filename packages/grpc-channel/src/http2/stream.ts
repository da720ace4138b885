import type { Header } from './hpack-decoder.js';

/** Why a stream broke. */
export interface StreamBreak {
  /** An error code of HTTP/2. */
  readonly code: number;
  readonly reason: string;
  /** The peer did not process the request, so it can be sent again. */
  readonly isUnprocessed: boolean;
  /** The connection failed, not only this stream. */
  readonly isConnectionFailure: boolean;
  /** The reply exceeds the limit; the peer is not at fault. */
  readonly isTooLarge?: boolean;
  /** No stream of the connection was ever answered. */
  readonly isUnanswered?: boolean;
}

/** Events of a stream. `isLast` and `broken` are final. */
export interface StreamEvents {
  headers(headers: readonly Header[], isLast: boolean): void;
  /** A range of bytes, which counts against the stream's window until it is `consume`d. */
  data(bytes: Buffer, start: number, end: number, isLast: boolean): void;
  broken(cause: StreamBreak): void;
}

/** One request and its reply, as stored by the connection. */
export class Stream {
  readonly id: number;
  readonly events: StreamEvents;
  readonly window: ReceiveWindow;
  /** Bytes that the peer accepts now. */
  sendWindow: number;
  /** The unsent part of the request body. */
  unsent: Uint8Array;

  constructor(id: number, events: StreamEvents, windowBytes: number, sendWindow: number, body: Uint8Array) {
    this.id = id;
    this.events = events;
    this.window = new ReceiveWindow(windowBytes);
    this.sendWindow = sendWindow;
    this.unsent = body;
  }
}

/** Counts received bytes and determines when to send a window update. */
export class ReceiveWindow {
  readonly #sizeBytes: number;
  #left: number;
  #credit = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#left = sizeBytes;
  }

  /** False if more bytes arrived than the window allows. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Adds room. Returns the size of the window update to send; 0 while an update is too small. */
  give(bytes: number): number {
    this.#credit += bytes;
    if (this.#credit * 2 < this.#sizeBytes) return 0;
    const update = this.#credit;
    this.#left += update;
    this.#credit = 0;
    return update;
  }
}
