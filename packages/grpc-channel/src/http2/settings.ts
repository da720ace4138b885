import { ConnectionError, DEFAULT_FRAME_BYTES, DEFAULT_WINDOW_BYTES, ERROR, MAX_WINDOW_BYTES } from './frames.js';
import type { KeepaliveTimes } from './keepalive.js';

/** The peer's settings. Source: RFC 9113, section 6.5.2. */
export interface PeerSettings {
  readonly maxConcurrentStreams: number;
  readonly initialWindowBytes: number;
  readonly maxFrameBytes: number;
  /** The peer sent a size for the header table. */
  readonly hasTableSize: boolean;
}

export const DEFAULT_SETTINGS: PeerSettings = {
  maxConcurrentStreams: Number.POSITIVE_INFINITY,
  initialWindowBytes: DEFAULT_WINDOW_BYTES,
  maxFrameBytes: DEFAULT_FRAME_BYTES,
  hasTableSize: false,
};

const ID = {
  tableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;
const ENTRY_BYTES = 6;
const LARGEST_FRAME_BYTES = 2 ** 24 - 1;

/** Settings after a frame of them. @throws {ConnectionError} on values that are not allowed */
export function readSettings(before: PeerSettings, payload: Buffer): PeerSettings {
  if (payload.length % ENTRY_BYTES !== 0) throw new ConnectionError(ERROR.frameSize, 'settings are cut short');
  const settings = { ...before, hasTableSize: false };
  for (let at = 0; at < payload.length; at += ENTRY_BYTES) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case ID.tableSize:
        settings.hasTableSize = true;
        break;
      case ID.enablePush:
        if (value !== 0) throw new ConnectionError(ERROR.protocol, 'a server must not enable push');
        break;
      case ID.maxConcurrentStreams:
        settings.maxConcurrentStreams = value;
        break;
      case ID.initialWindowSize:
        if (value > MAX_WINDOW_BYTES) throw new ConnectionError(ERROR.flowControl, 'a window is too large');
        settings.initialWindowBytes = value;
        break;
      case ID.maxFrameSize:
        if (value < DEFAULT_FRAME_BYTES || value > LARGEST_FRAME_BYTES) {
          throw new ConnectionError(ERROR.protocol, 'a frame size is not allowed');
        }
        settings.maxFrameBytes = value;
        break;
      default: // Unknown settings are ignored.
    }
  }
  return settings;
}

/** The settings of a client that takes no pushed streams, gives each stream a window and bounds the headers of a reply. */
export function clientSettings(windowBytes: number, headerListBytes: number): Buffer {
  const settings = [
    [ID.enablePush, 0],
    [ID.initialWindowSize, windowBytes],
    [ID.maxHeaderListSize, headerListBytes],
  ] as const;
  const payload = Buffer.alloc(settings.length * ENTRY_BYTES);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, index * ENTRY_BYTES);
    payload.writeUInt32BE(value, index * ENTRY_BYTES + 2);
  }
  return payload;
}

/** Options and events of a connection. */
export interface ConnectionOptions {
  readonly keepalive: () => KeepaliveTimes;
  /** The peer's settings have arrived: streams can be opened. */
  readonly onReady: () => void;
  /** A stream ended, so a new one may be possible. */
  readonly onRoom: () => void;
  /** No further stream can be opened; open ones continue. */
  readonly onDraining: (code: number) => void;
  /** Called once, after all streams broke. */
  readonly onClosed: (reason: Error) => void;
}
