import type { Header } from './hpack-static.js';
import { ReceiveWindow } from './receive-window.js';

/** Why a stream ended before its end. */
export interface StreamBreak {
  /** An error code of HTTP/2. */
  readonly code: number;
  readonly reason: string;
  /** The other side did nothing with the request, so it can be sent again. */
  readonly isUnprocessed: boolean;
  /** The connection is gone, rather than this stream alone. */
  readonly isConnectionLost: boolean;
  /** The reply is larger than is taken; the other side did nothing wrong. */
  readonly isTooLarge?: boolean;
  /** No stream of the connection was ever answered. */
  readonly isUnanswered?: boolean;
}

/** What a stream tells the one who opened it. After `isLast` or `broken` nothing comes any more. */
export interface StreamEvents {
  headers(headers: readonly Header[], isLast: boolean): void;
  /** What is from `start` to `end` of some bytes, which counts against the window of the stream until it is `consume`d. */
  data(bytes: Buffer, start: number, end: number, isLast: boolean): void;
  broken(cause: StreamBreak): void;
}

/** One request and its reply, as the connection keeps them. */
export class Stream {
  readonly id: number;
  readonly events: StreamEvents;
  readonly window: ReceiveWindow;
  /** How much the other side takes now. */
  sendWindow: number;
  /** What of the request body is not sent yet. */
  unsent: Uint8Array;

  constructor(id: number, events: StreamEvents, windowBytes: number, sendWindow: number, body: Uint8Array) {
    this.id = id;
    this.events = events;
    this.window = new ReceiveWindow(windowBytes);
    this.sendWindow = sendWindow;
    this.unsent = body;
  }
}
