/** A background job. */
export interface Background {
  /** Resolves once the current run has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs work repeatedly, with a pause before each run; runs never overlap, and the loop does not keep the process alive.
 *
 * @param work never rejects
 * @param isImmediate whether the first run starts at once
 */
export function intervalLoop(
  work: (signal: AbortSignal) => unknown,
  pauseMs: () => number,
  { isImmediate = false } = {},
): Background {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  const run = async (): Promise<void> => {
    await work(signal);
    if (!signal.aborted) wait();
  };
  const wait = (): void => {
    timer = setTimeout(() => {
      current = run();
    }, pauseMs()).unref();
  };
  if (isImmediate) current = run();
  else wait();
  return {
    stop: () => {
      controller.abort();
      clearTimeout(timer);
      return current;
    },
  };
}
