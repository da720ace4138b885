/** A server process of the test's own, on one port for as long as it lives. */
export interface RealServer {
  /** With credentials; the same before and after `restart()`. */
  readonly url: string;
  /** Ends it in order. `restart()` brings it back. */
  readonly stop: () => Promise<void>;
  /** Ends it as a crash would. `restart()` brings it back. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port and folder; resolves when it answers. */
  readonly restart: () => Promise<void>;
  /** Ends it for good and removes its folder. Happens by itself when the process that started it ends. */
  readonly remove: () => Promise<void>;
}
