import { setTimeout as sleep } from 'node:timers/promises';

/** A background job. */
export interface Background {
  /** Resolves once the current run has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs work repeatedly, with a pause before each run; runs never overlap, and the loop does not keep the process alive.
 *
 * @param work never rejects
 */
export function intervalLoop(work: (signal: AbortSignal) => Promise<unknown>, pauseMs: () => number): Background {
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
