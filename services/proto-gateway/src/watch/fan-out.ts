/** Events that go out in one turn of the event loop, of whichever watches. */
const AT_ONCE = 200;

/** Tells each of many, over as many turns of the event loop as that takes. `tell` finds out whether there still is something to tell. */
export type FanOut = <T>(members: Iterable<T>, tell: (subscriber: T) => void) => Promise<void>;

/** All who tell share the turns: who came first is done first. */
export function fanOutInSlices(): FanOut {
  let left = AT_ONCE;
  let nextTurn: Promise<void> | undefined;
  return async (members, tell) => {
    for (const subscriber of members) {
      while (left === 0) await nextTurn;
      nextTurn ??= new Promise((resolve) => {
        setImmediate(() => {
          left = AT_ONCE;
          nextTurn = undefined;
          resolve();
        });
      });
      left -= 1;
      tell(subscriber);
    }
  };
}
