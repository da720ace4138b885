import type { Config } from './config.js';

/** Limits of the process; what one turn may take is in `turns/turn-limits.ts`, what one socket may in `realtime/limits.ts`. */

/** Characters of frames that a process without Redis holds, of all runs together (`runs/memory-run-store`). */
export const runLogChars = 64 * 1024 * 1024;
/** When a quiet stream says that it is alive, and when a reader that takes nothing is cut off (`doors/http/stream-run`). */
export const streamTimes = { heartbeatMs: 15_000, stalledAfterMs: 60_000 };
/** Of each door for sockets (`doors/sockets/doors`). */
export const socketTimes = {
  pingIntervalMs: 25_000,
  pingTimeoutMs: 20_000,
  authTimeoutMs: 5_000,
  connections: 12_000,
  waitingBytes: 1_048_576,
};
/** What `RATE_LIMIT_MAX` and `RATE_LIMIT_PER_ADDRESS` are counted in (`app`, `address-allowances`). */
export const rateWindowMs = 60_000;
/** Revocations that one issuer, and that all callers of one address together, may ask for in a minute (`address-allowances`). */
export const revocationsPerMinute = { ofIssuer: 30, ofAddress: 300 };
/** What `TURNS_PER_ADDRESS` is counted in. A day: of what costs money, a minute's limit is no limit. */
export const turnsWindowMs = 86_400_000;

/** A shutdown's time, shared out: half of what is left after the drain delay for turns, a quarter for their readers. */
export function drainTimes(config: Pick<Config, 'SHUTDOWN_TIMEOUT_MS' | 'DRAIN_DELAY_MS'>) {
  const leftMs = Math.max(0, config.SHUTDOWN_TIMEOUT_MS - config.DRAIN_DELAY_MS);
  return { turnsMs: leftMs / 2, streamsMs: leftMs / 4 };
}
