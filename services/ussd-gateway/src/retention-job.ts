import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@mlango/service-kit/logging';

/** Rows of a table that go at once: no lock is held for long. */
const batchSize = 500;

/** How long after one purge the next one begins, in ms; each process waits up to half as long again, and not with the others. */
const pauseMs = 10 * 60_000;

/**
 * Removes in the background, batch by batch, what serves no guarantee any more. Replicas may do so side by side: each passes over
 * what another one has in hand.
 *
 * @param purges each removes so many at most, and resolves with how many there were.
 */
export function startRetentionJob(
  { purges, logger }: { readonly purges: readonly ((limit: number) => Promise<number>)[]; readonly logger: Logger },
  pause = () => pauseMs * (1 + Math.random() / 2),
): Background {
  return intervalLoop(async (signal) => {
    try {
      for (const purge of purges) while (!signal.aborted && (await purge(batchSize)) >= batchSize);
    } catch (error) {
      logger.warn({ err: error }, 'what is old is not purged now');
    }
  }, pause);
}

/** What goes on in the background until it is stopped. */
export interface Background {
  /** Resolves once nothing of it is under way. */
  readonly stop: () => Promise<void>;
}

/** Does work again and again, with a pause before each time, and keeps no process alive for it. @param work never rejects. */
export function intervalLoop(work: (signal: AbortSignal) => Promise<void>, pauseMs: () => number): Background {
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
