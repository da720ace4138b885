import type { KeepaliveTimes } from './keepalive.js';

/** What a connection is told, and whom it tells. */
export interface ConnectionOptions {
  readonly keepalive: () => KeepaliveTimes;
  /** The other side said what it allows: streams can be opened. */
  readonly onReady: () => void;
  /** A stream ended, so that there may be room for another one. */
  readonly onRoom: () => void;
  /** No stream can be opened here any more; those that are open go on. */
  readonly onDraining: (code: number) => void;
  /** Called once, after all streams broke. */
  readonly onClosed: (reason: Error) => void;
}
