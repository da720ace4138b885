import type { SendFlow } from './flow-control.js';
import { ConnectionError, ERROR, FLAG, FRAME, type Outbox, PING_BYTES } from './frames.js';
import type { OpenStreams } from './open-streams.js';
import { type ConnectionOptions, DEFAULT_SETTINGS, type PeerSettings, readSettings } from './settings.js';

/** Maximum settings and pings per chunk: each costs more to answer than to send. */
const MAX_DEMANDS = 100;

/** Connection-level frames of the peer: settings, pings, window updates. `connection.ts` handles GOAWAY. */
export class PeerControl {
  readonly #streams: OpenStreams;
  readonly #outbox: Outbox;
  readonly #sendFlow: SendFlow;
  readonly #events: Pick<ConnectionOptions, 'onReady' | 'onRoom'>;
  settings: PeerSettings = DEFAULT_SETTINGS;
  /** The peer's settings have arrived. */
  isReady = false;
  /** The next block of headers is to empty the table. */
  mustEmptyTable = false;
  /** Settings and pings of the chunk that is read. */
  #demands = 0;

  constructor(
    streams: OpenStreams,
    outbox: Outbox,
    sendFlow: SendFlow,
    events: Pick<ConnectionOptions, 'onReady' | 'onRoom'>,
  ) {
    this.#streams = streams;
    this.#outbox = outbox;
    this.#sendFlow = sendFlow;
    this.#events = events;
  }

  beginChunk(): void {
    this.#demands = 0;
  }

  takeSettings(flags: number, payload: Buffer): void {
    if ((flags & FLAG.ack) !== 0) {
      if (payload.length > 0) throw new ConnectionError(ERROR.frameSize, 'a settings acknowledgement has a payload');
      return;
    }
    this.#noteDemand();
    const before = this.settings;
    this.settings = readSettings(before, payload);
    if (this.settings.hasTableSize) this.mustEmptyTable = true;
    this.#outbox.pushFrame(FRAME.settings, FLAG.ack, 0);
    const { initialWindowBytes, maxFrameBytes } = this.settings;
    const wider = initialWindowBytes - before.initialWindowBytes;
    for (const stream of this.#streams.all) this.#sendFlow.open(wider, stream, maxFrameBytes);
    if (this.isReady) this.#events.onRoom();
    else {
      this.isReady = true;
      this.#events.onReady();
    }
  }

  takePing(flags: number, payload: Buffer): void {
    if (payload.length !== PING_BYTES) throw new ConnectionError(ERROR.frameSize, 'a ping is cut short');
    if ((flags & FLAG.ack) !== 0) return;
    this.#noteDemand();
    this.#outbox.pushFrame(FRAME.ping, FLAG.ack, 0, payload);
  }

  takeWindowUpdate(streamId: number, bytes: number): void {
    const stream = streamId === 0 ? undefined : this.#streams.find(streamId);
    if (streamId !== 0 && stream === undefined) return;
    if (bytes === 0) throw new ConnectionError(ERROR.protocol, 'it sends a window update of 0');
    this.#sendFlow.open(bytes, stream, this.settings.maxFrameBytes);
  }

  #noteDemand(): void {
    this.#demands += 1;
    if (this.#demands > MAX_DEMANDS) throw new ConnectionError(ERROR.enhanceYourCalm, 'too many settings or pings');
  }
}
