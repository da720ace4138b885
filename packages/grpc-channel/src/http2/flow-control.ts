import { ConnectionError, DEFAULT_WINDOW_BYTES, ERROR, FLAG, FRAME, MAX_WINDOW_BYTES, type Outbox } from './frames.js';
import type { Stream } from './stream.js';

/** Sends request bodies within the peer's windows, and continues when a window opens. */
export class SendFlow {
  readonly #outbox: Outbox;
  readonly #waiting = new Set<Stream>();
  #window = DEFAULT_WINDOW_BYTES;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  send(stream: Stream, maxFrameBytes: number): void {
    for (;;) {
      const bytes = Math.min(stream.unsent.length, maxFrameBytes, this.#window, stream.sendWindow);
      if (bytes <= 0) break;
      const { unsent } = stream;
      const isWhole = bytes === unsent.length;
      stream.unsent = isWhole ? NOTHING : unsent.subarray(bytes);
      stream.sendWindow -= bytes;
      this.#window -= bytes;
      this.#outbox.pushFrame(FRAME.data, isWhole ? FLAG.endStream : 0, stream.id, unsent, 0, bytes);
    }
    if (stream.unsent.length > 0) this.#waiting.add(stream);
    else this.#waiting.delete(stream);
  }

  drop(stream: Stream): void {
    this.#waiting.delete(stream);
  }

  /** The peer's window grew: of one stream or, without it, of the connection. */
  open(bytes: number, stream: Stream | undefined, maxFrameBytes: number): void {
    if (stream === undefined) this.#window = widen(this.#window, bytes);
    else stream.sendWindow = widen(stream.sendWindow, bytes);
    for (const waiting of Array.from(this.#waiting)) this.send(waiting, maxFrameBytes);
  }
}

const NOTHING = new Uint8Array();

function widen(window: number, bytes: number): number {
  if (window + bytes > MAX_WINDOW_BYTES) throw new ConnectionError(ERROR.flowControl, 'a window is too large');
  return window + bytes;
}
