import { setTimeout as sleep } from 'node:timers/promises';

/** What goes on in the background until it is stopped. */
export interface Background {
  /** Resolves once nothing of it is under way. */
  readonly stop: () => Promise<void>;
}

/** Does work again and again, with a pause before each time, and keeps no process alive for it. @param work never rejects. */
export function again(work: (signal: AbortSignal) => Promise<void>, pauseMs: () => number): Background {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(pauseMs(), undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await work(signal);
    }
  };
  const done = run();
  return {
    stop: () => {
      controller.abort();
      return done;
    },
  };
}
