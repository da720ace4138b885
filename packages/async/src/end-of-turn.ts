import { setImmediate } from 'node:timers';

let pending: Promise<void> | undefined;

/**
 * Resolves at the end of this turn of the event loop, once the I/O events that are ready by now are handled. All calls of a turn
 * share one promise, so that work that waits for it leaves together.
 */
export function endOfTurn(): Promise<void> {
  pending ??= new Promise((resolve) => {
    setImmediate(() => {
      pending = undefined;
      resolve();
    });
  });
  return pending;
}
