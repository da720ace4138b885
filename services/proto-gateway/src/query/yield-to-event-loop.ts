/** What is smaller is read or written in a moment. */
const LARGE_BYTES = 16 * 1024;
/** How long those who have much to do may go on in one turn of the event loop, all together, in ms. */
const TURN_MS = 10;

/**
 * Waited for before so many bytes are read or written in one go. `undefined`: that has to be done now, and not after
 * an `await`, in which everybody else would be told the same.
 */
export type YieldForBytes = (bytes: number) => Promise<void> | undefined;

/**
 * Lets those who have much to do at once go on for a while, then one of them in each turn of the event loop, and everybody
 * else in between.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function yieldToEventLoop(now: () => number): YieldForBytes {
  let endsAt: number | undefined;
  let waiting = 0;
  let last = Promise.resolve();
  return (bytes) => {
    if (bytes < LARGE_BYTES) return undefined;
    if (endsAt === undefined) {
      endsAt = now() + TURN_MS;
      setImmediate(() => {
        endsAt = undefined;
      });
    }
    if (waiting === 0 && now() < endsAt) return undefined;
    waiting += 1;
    last = last
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      .then(() => {
        waiting -= 1;
      });
    return last;
  };
}
