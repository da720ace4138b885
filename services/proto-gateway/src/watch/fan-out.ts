import { endOfTurn } from '@mlango/async/end-of-turn';

/** Events sent per turn of the event loop, over all watches. */
const AT_ONCE = 200;

/**
 * Calls a function for each member, in slices of an event loop turn. The function checks whether its event is still current.
 */
export type FanOut = <T>(members: Iterable<T>, send: (subscriber: T) => void) => Promise<void>;

/** All fan-outs share the slices, in order of arrival. */
export function fanOutInSlices(): FanOut {
  let left = AT_ONCE;
  let nextTurn: Promise<void> | undefined;
  return async (members, send) => {
    for (const subscriber of members) {
      while (left === 0) await nextTurn;
      nextTurn ??= endOfTurn().then(() => {
        left = AT_ONCE;
        nextTurn = undefined;
      });
      left -= 1;
      send(subscriber);
    }
  };
}
