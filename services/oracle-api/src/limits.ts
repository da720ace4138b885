import type { Config } from './config.js';

/** Limits of the process; what one turn may take is in `turns/turn-limits.ts`, what one socket may in `realtime/limits.ts`. */

/** Characters of frames that a process without Redis holds, of all runs together (`runs/memory-run-store`). */
export const runLogChars = 64 * 1024 * 1024;
/** Of the streams of runs (`doors/http/stream-run`). */
export const streamTimes = {
  /** Silence after which a heartbeat is sent. */
  heartbeatMs: 15_000,
  /** A connection that takes nothing for so long is given up. Some heartbeats long, or quiet streams would be cut. */
  stalledAfterMs: 60_000,
};
/** Of each door for sockets (`doors/sockets/doors`). */
export const socketTimes = {
  /** Pause between two pings. */
  pingIntervalMs: 25_000,
  /** A client that does not answer a ping for so long is gone. */
  pingTimeoutMs: 20_000,
  /** How long a connection may take to say who it is. */
  authTimeoutMs: 5_000,
  /** What may wait for a client that reads slowly, in bytes; beyond that it is cut off. */
  waitingBytes: 1_048_576,
};
/** What `RATE_LIMIT_MAX` and `RATE_LIMIT_PER_ADDRESS` are counted in (`app`, `address-allowances`). */
export const rateWindowMs = 60_000;
/** Revocations that one issuer, and that all callers of one address together, may ask for in a minute (`address-allowances`). */
export const revocationsPerMinute = { ofIssuer: 30, ofAddress: 300 };
/** What `MESSAGES_PER_USER_PER_DAY`, `TURNS_PER_ADDRESS` and `STORAGE_BYTES_PER_ADDRESS` are counted in: a limit of a minute does not bound costs. */
export const dayMs = 86_400_000;
/** Bytes of a stored row on average, from which the rows of an address in a day follow. */
export const storedRowBytes = 16_384;

/** A shutdown's time, shared out: half of what is left after the drain delay for turns, a quarter for their readers. */
export function drainTimes(config: Pick<Config, 'SHUTDOWN_TIMEOUT_MS' | 'DRAIN_DELAY_MS'>) {
  const leftMs = Math.max(0, config.SHUTDOWN_TIMEOUT_MS - config.DRAIN_DELAY_MS);
  return { turnsMs: leftMs / 2, streamsMs: leftMs / 4 };
}
