import { endOfTurn } from '@mlango/async/end-of-turn';

/** Smaller messages are processed without a yield. */
const LARGE_BYTES = 16 * 1024;
/** Total time per event loop turn for large work, in ms. */
const TURN_MS = 10;

/**
 * Awaited before work on that many bytes. `undefined`: proceed synchronously, without an `await` in which other work would get
 * the same permission.
 */
export type YieldForBytes = (bytes: number) => Promise<void> | undefined;

/**
 * Limits large synchronous work per event loop turn: the first tasks proceed, later ones get a turn each, and other requests
 * run in between.
 *
 * @param now milliseconds of a monotonic clock
 */
export function yieldToEventLoop(now: () => number): YieldForBytes {
  let endsAt: number | undefined;
  let waiting = 0;
  let last = Promise.resolve();
  return (bytes) => {
    if (bytes < LARGE_BYTES) return undefined;
    if (endsAt === undefined) {
      endsAt = now() + TURN_MS;
      void endOfTurn().then(() => {
        endsAt = undefined;
      });
    }
    if (waiting === 0 && now() < endsAt) return undefined;
    waiting += 1;
    last = last.then(endOfTurn).then(() => {
      waiting -= 1;
    });
    return last;
  };
}
