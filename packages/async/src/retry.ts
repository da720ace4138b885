import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  /**
   * The pause before the next attempt, in ms; undefined if this error is final.
   * @param failures failed attempts so far, from 1
   */
  readonly pauseMs: (error: unknown, failures: number) => number | undefined;
  /** Ends the retries: the last error is final. */
  readonly signal?: AbortSignal | undefined;
}

/** Repeats work until it succeeds. Rejects with the error of the last attempt. */
export async function retry<T>(work: () => Promise<T>, { pauseMs, signal }: RetryOptions): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = signal?.aborted === true ? undefined : pauseMs(error, failures);
      if (pause === undefined) throw error;
      await sleep(pause, undefined, signal === undefined ? {} : { signal }).catch(() => {});
      if (signal?.aborted === true) throw error;
    }
  }
}

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** A pause that doubles with each failure up to a limit, of which a random part between half and all is waited. */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
