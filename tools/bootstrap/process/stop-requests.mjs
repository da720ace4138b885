import { watchParent } from './parent-watch.mjs';

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// One Ctrl-C can arrive twice: from the terminal and from npm, which forwards signals.
const SAME_REQUEST_MS = 300;

/**
 * Listens for a wish to stop: SIGINT, SIGTERM, SIGHUP, or a parent that has died.
 * @param {{ onStop: (reason: string) => void, onInsist: () => void }} listeners - `onInsist` on each further request
 * @returns {() => void} stops listening
 */
export function listenForStop({ onStop, onInsist }) {
  /** @type {number | undefined} */
  let firstAt;
  /** @param {string} reason */
  const request = (reason) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      onStop(reason);
    } else if (now - firstAt > SAME_REQUEST_MS) onInsist();
  };
  for (const signal of SIGNALS) process.on(signal, request);
  const unwatch = watchParent(() => request('the parent process has ended'));
  return () => {
    unwatch();
    for (const signal of SIGNALS) process.off(signal, request);
  };
}
